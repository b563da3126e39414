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

void PassiveAggressive::prepare(const Samples& learned, const Samples& asked) {
  keep(learned, asked);
  squares_.clear();
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const std::span<const double> row = learned.row(i);
    squares_.push_back(1 + std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  }
  std::vector<std::size_t> order(learned.size());
  std::iota(order.begin(), order.end(), 0);
  order_.clear();
  for (int pass = 0; pass < passes; ++pass) {
    std::shuffle(order.begin(), order.end(), random_);
    order_.insert(order_.end(), order.begin(), order.end());
  }
}

Plane PassiveAggressive::plane_of(std::span<const double> targets) const {
  Plane plane{std::vector<double>(learned().features), 0};
  for (const std::size_t i : order_) {
    const std::span<const double> row = learned().row(i);
    const double error = targets[i] - plane(row);
    const double loss = std::abs(error) - tolerance;
    if (loss <= 0) continue;
    const double step = std::copysign(std::min(max_step, loss / squares_[i]), error);
    for (std::size_t f = 0; f < learned().features; ++f) plane.weights[f] += step * row[f];
    plane.intercept += step;
  }
  return plane;
}

}  // namespace pimsweep::systems::rtconc::regression
