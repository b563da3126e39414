#include <numeric>

#include "systems/rtconc/regression/linear_solve.h"
#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

double Plane::operator()(std::span<const double> features) const {
  return std::inner_product(features.begin(), features.end(), weights.begin(), intercept);
}

Plane least_squares(const Samples& samples, std::span<const double> targets, std::span<const std::size_t> rows) {
  const std::size_t n = samples.features;
  const auto count = static_cast<double>(rows.size());
  std::vector<double> mean(n);
  double target_mean = 0;
  for (const std::size_t row : rows) {
    for (std::size_t f = 0; f < n; ++f) mean[f] += samples.row(row)[f] / count;
    target_mean += targets[row] / count;
  }
  std::vector<double> matrix(n * n);
  Plane plane;
  plane.weights.assign(n, 0);
  std::vector<double> off(n);
  for (const std::size_t row : rows) {
    for (std::size_t f = 0; f < n; ++f) off[f] = samples.row(row)[f] - mean[f];
    for (std::size_t f = 0; f < n; ++f) {
      for (std::size_t g = 0; g <= f; ++g) matrix[f * n + g] += off[f] * off[g];
      plane.weights[f] += off[f] * (targets[row] - target_mean);
    }
  }
  solve_symmetric(matrix, plane.weights, n);
  plane.intercept = target_mean - std::inner_product(mean.begin(), mean.end(), plane.weights.begin(), 0.0);
  return plane;
}

void LeastSquares::fit(const Samples& samples, std::span<const double> targets) {
  std::vector<std::size_t> rows(samples.size());
  std::iota(rows.begin(), rows.end(), 0);
  plane_ = least_squares(samples, targets, rows);
}

}  // namespace pimsweep::systems::rtconc::regression
