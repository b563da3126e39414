#include <numeric>
#include <utility>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

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

}  // namespace pimsweep::systems::rtconc::regression
