#include <algorithm>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::rtconc {

namespace {

constexpr std::size_t neighbours = 5;

}  // namespace

void KNeighbours::fit(const Samples& samples, std::span<const double> targets) {
  samples_ = samples;
  targets_.assign(targets.begin(), targets.end());
}

double KNeighbours::predict(std::span<const double> features) const {
  std::vector<std::pair<double, double>> nearest;
  nearest.reserve(samples_.size());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    double squares = 0;
    for (std::size_t f = 0; f < features.size(); ++f) {
      const double off = samples_.row(i)[f] - features[f];
      squares += off * off;
    }
    nearest.emplace_back(squares, targets_[i]);
  }
  const std::size_t count = std::min(neighbours, nearest.size());
  std::partial_sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(count), nearest.end());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += nearest[i].second;
  return sum / static_cast<double>(count);
}

}  // namespace pimsweep::rtconc
