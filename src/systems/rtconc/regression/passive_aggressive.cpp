#include <algorithm>
#include <cmath>
#include <numeric>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

/// The longest step and how far a prediction may be away, both as scikit-learn has them, and passes over the samples.
constexpr double max_step = 1;
constexpr double tolerance = 0.1;
constexpr int passes = 5;

}  // namespace

void PassiveAggressive::fit(const Samples& samples, std::span<const double> targets) {
  plane_.weights.assign(samples.features, 0);
  plane_.intercept = 0;
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0);
  for (int pass = 0; pass < passes; ++pass) {
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t i : order) {
      const std::span<const double> row = samples.row(i);
      const double error = targets[i] - plane_(row);
      const double loss = std::abs(error) - tolerance;
      if (loss <= 0) continue;
      const double squares = 1 + std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
      const double step = std::copysign(std::min(max_step, loss / squares), error);
      for (std::size_t f = 0; f < samples.features; ++f) plane_.weights[f] += step * row[f];
      plane_.intercept += step;
    }
  }
}

}  // namespace pimsweep::systems::rtconc::regression
