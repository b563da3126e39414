#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

void KNeighbors::prepare(const Samples& learned, const Samples& asked) {
  nearest_.clear();
  learned_ = learned.size();
  count_ = std::min(neighbors, learned.size());
  for (std::size_t wanted = 0; wanted < asked.size(); ++wanted) {
    const std::span<const double> features = asked.row(wanted);
    std::array<std::pair<double, std::size_t>, neighbors> nearest;
    std::size_t found = 0;
    for (std::size_t i = 0; i < learned.size(); ++i) {
      const double most = found == neighbors ? nearest[found - 1].first : INFINITY;
      const std::span<const double> row = learned.row(i);
      double squares = 0;
      for (std::size_t f = 0; f < features.size() && squares < most; ++f) {
        const double off = row[f] - features[f];
        squares += off * off;
      }
      if (squares >= most) continue;
      std::size_t at = found == neighbors ? found - 1 : found++;
      for (; at > 0 && nearest[at - 1].first > squares; --at) nearest[at] = nearest[at - 1];
      nearest[at] = {squares, i};
    }
    for (std::size_t i = 0; i < count_; ++i) nearest_.push_back(nearest[i].second);
  }
}

double KNeighbors::predict(std::size_t target, std::size_t asked) const {
  const double* const own = &targets_[target * learned_];
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) sum += own[nearest_[asked * count_ + i]];
  return sum / static_cast<double>(count_);
}

}  // namespace pimsweep::systems::rtconc::regression
