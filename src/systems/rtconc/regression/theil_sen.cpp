#include <algorithm>
#include <cmath>
#include <numeric>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

namespace {

/// Planes through random subsets; scikit-learn takes up to 10,000, of which the median differs little.
constexpr std::size_t subsets = 50;

/// The point with the least sum of distances: Weiszfeld's iteration as Vardi and Zhang (2000) modify it.
std::vector<double> spatial_median(const std::vector<std::vector<double>>& points) {
  std::vector<double> median(points[0].size());
  for (const auto& point : points) {
    for (std::size_t k = 0; k < median.size(); ++k) median[k] += point[k] / static_cast<double>(points.size());
  }
  std::vector<double> next(median.size());
  for (int iteration = 0; iteration < 100; ++iteration) {
    std::fill(next.begin(), next.end(), 0);
    double weights = 0;
    for (const auto& point : points) {
      double squares = 0;
      for (std::size_t k = 0; k < median.size(); ++k) squares += (point[k] - median[k]) * (point[k] - median[k]);
      if (squares == 0) continue;
      const double weight = 1 / std::sqrt(squares);
      weights += weight;
      for (std::size_t k = 0; k < median.size(); ++k) next[k] += weight * point[k];
    }
    if (weights == 0) break;
    double moved = 0;
    double length = 0;
    for (std::size_t k = 0; k < median.size(); ++k) {
      next[k] /= weights;
      moved += (next[k] - median[k]) * (next[k] - median[k]);
      length += next[k] * next[k];
    }
    median = next;
    if (moved <= 1e-6 * length) break;
  }
  return median;
}

}  // namespace

void TheilSen::prepare(const Samples& learned, const Samples& asked) {
  keep(learned, asked);
  std::vector<std::size_t> rows(learned.size());
  std::iota(rows.begin(), rows.end(), 0);
  // As many as a plane needs.
  const std::size_t size = std::min(learned.size(), learned.features + 1);
  through_.clear();
  for (std::size_t i = 0; i < subsets; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      std::uniform_int_distribution<std::size_t> other(k, rows.size() - 1);
      std::swap(rows[k], rows[other(random_)]);
    }
    through_.emplace_back(learned, std::span(rows).first(size));
  }
}

Plane TheilSen::plane_of(std::span<const double> targets) const {
  std::vector<std::vector<double>> planes;
  for (const LeastSquaresPlane& through : through_) {
    Plane plane = through.fit(targets);
    plane.weights.push_back(plane.intercept);
    planes.push_back(std::move(plane.weights));
  }
  Plane plane{spatial_median(planes), 0};
  plane.intercept = plane.weights.back();
  plane.weights.pop_back();
  return plane;
}

}  // namespace pimsweep::systems::rtconc::regression
