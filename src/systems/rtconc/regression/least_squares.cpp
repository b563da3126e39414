#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/downward.h"
#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

SymmetricFactors::SymmetricFactors(std::vector<double> matrix, std::size_t size)
    : matrix_(std::move(matrix)), size_(size), open_(size, 0) {
  // A pivot below this share of its first value consists of rounding alone.
  constexpr double lost = 1e-10;
  for (std::size_t j = 0; j < size_; ++j) {
    const double before = at(j, j);
    double pivot = before;
    for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
    open_[j] = !(pivot > lost * before) ? 1 : 0;
    at(j, j) = open_[j] ? 1 : std::sqrt(pivot);
    for (std::size_t i = j + 1; i < size_; ++i) {
      if (open_[j]) {
        at(i, j) = 0;
        continue;
      }
      double sum = at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
    if (open_[j]) {
      for (std::size_t k = 0; k < j; ++k) at(j, k) = 0;
    }
  }
}

void SymmetricFactors::solve(std::vector<double>& right) const {
  for (std::size_t j = 0; j < size_; ++j) {
    for (std::size_t k = 0; k < j; ++k) right[j] -= at(j, k) * right[k];
    right[j] = open_[j] ? 0 : right[j] / at(j, j);
  }
  for (const std::size_t j : downward(size_)) {
    for (std::size_t i = j + 1; i < size_; ++i) right[j] -= at(i, j) * right[i];
    right[j] = open_[j] ? 0 : right[j] / at(j, j);
  }
}

double Plane::operator()(std::span<const double> features) const {
  return std::inner_product(features.begin(), features.end(), weights.begin(), intercept);
}

namespace {

std::vector<double> mean_of(const Samples& samples, std::span<const std::size_t> rows) {
  std::vector<double> mean(samples.features);
  for (const std::size_t row : rows) {
    for (std::size_t f = 0; f < samples.features; ++f)
      mean[f] += samples.row(row)[f] / static_cast<double>(rows.size());
  }
  return mean;
}

std::vector<double> without(const std::vector<double>& mean, const Samples& samples,
                            std::span<const std::size_t> rows) {
  std::vector<double> off;
  off.reserve(rows.size() * mean.size());
  for (const std::size_t row : rows) {
    for (std::size_t f = 0; f < mean.size(); ++f) off.push_back(samples.row(row)[f] - mean[f]);
  }
  return off;
}

/// The lower half of the sums of products of features.
SymmetricFactors factors_of(const std::vector<double>& off, std::size_t features) {
  std::vector<double> matrix(features * features);
  for (auto row = off.begin(); row != off.end(); row += static_cast<std::ptrdiff_t>(features)) {
    for (std::size_t f = 0; f < features; ++f) {
      const double value = row[static_cast<std::ptrdiff_t>(f)];
      for (std::size_t g = 0; g <= f; ++g) matrix[f * features + g] += value * row[static_cast<std::ptrdiff_t>(g)];
    }
  }
  return {std::move(matrix), features};
}

}  // namespace

LeastSquaresPlane::LeastSquaresPlane(const Samples& samples, std::span<const std::size_t> rows)
    : rows_(rows.begin(), rows.end()),
      mean_(mean_of(samples, rows)),
      off_(without(mean_, samples, rows)),
      factors_(factors_of(off_, samples.features)) {}

Plane LeastSquaresPlane::fit(std::span<const double> targets) const {
  double target_mean = 0;
  for (const std::size_t row : rows_) target_mean += targets[row] / static_cast<double>(rows_.size());
  Plane plane;
  plane.weights.assign(mean_.size(), 0);
  const double* off = off_.data();
  for (const std::size_t row : rows_) {
    for (double& weight : plane.weights) weight += *off++ * (targets[row] - target_mean);
  }
  factors_.solve(plane.weights);
  plane.intercept = target_mean - std::inner_product(mean_.begin(), mean_.end(), plane.weights.begin(), 0.0);
  return plane;
}

void PlaneRegressor::keep(const Samples& learned, const Samples& asked) {
  learned_ = &learned;
  asked_ = &asked;
}

void PlaneRegressor::fit(std::span<const double> targets) {
  planes_.clear();
  const std::size_t size = learned_->size();
  for (std::size_t begin = 0; begin < targets.size(); begin += size) {
    planes_.push_back(plane_of(targets.subspan(begin, size)));
  }
}

void LeastSquares::prepare(const Samples& learned, const Samples& asked) {
  std::vector<std::size_t> rows(learned.size());
  std::iota(rows.begin(), rows.end(), 0);
  keep(learned, asked);
  through_.emplace(learned, rows);
}

namespace {

/// Planes through random subsets; scikit-learn takes up to 10,000, whose median differs little.
constexpr std::size_t subsets = 50;

/// The point with the minimum sum of distances: Weiszfeld's iteration as Vardi and Zhang (2000) modify it.
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
  // A plane is determined by one row more than it has features.
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
