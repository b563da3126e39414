#include <array>
#include <cmath>
#include <utility>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

constexpr std::size_t neighbors = 5;

}  // namespace

void KNeighbors::fit(const Samples& samples, std::span<const double> targets) {
  samples_ = &samples;
  targets_.assign(targets.begin(), targets.end());
}

double KNeighbors::predict(std::span<const double> features) const {
  std::array<std::pair<double, double>, neighbors> nearest;
  std::size_t found = 0;
  for (std::size_t i = 0; i < samples_->size(); ++i) {
    const double most = found == neighbors ? nearest[found - 1].first : INFINITY;
    const std::span<const double> row = samples_->row(i);
    double squares = 0;
    for (std::size_t f = 0; f < features.size() && squares < most; ++f) {
      const double off = row[f] - features[f];
      squares += off * off;
    }
    if (squares >= most) continue;
    std::size_t at = found == neighbors ? found - 1 : found++;
    for (; at > 0 && nearest[at - 1].first > squares; --at) nearest[at] = nearest[at - 1];
    nearest[at] = {squares, targets_[i]};
  }
  double sum = 0;
  for (std::size_t i = 0; i < found; ++i) sum += nearest[i].second;
  return sum / static_cast<double>(found);
}

}  // namespace pimsweep::systems::rtconc::regression
