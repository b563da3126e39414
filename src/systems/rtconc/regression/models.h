#pragma once

#include <array>
#include <random>

#include "systems/rtconc/regression/regressor.h"

namespace pimsweep::systems::rtconc::regression {

/// weights . features + intercept.
struct Plane {
  std::vector<double> weights;
  double intercept = 0;

  double operator()(std::span<const double> features) const;
};

/// The plane of least squares through the named rows. Directions that the rows leave open get no weight.
Plane least_squares(const Samples& samples, std::span<const double> targets, std::span<const std::size_t> rows);

class LeastSquares final : public Regressor {
 public:
  void fit(const Samples& samples, std::span<const double> targets) override;
  double predict(std::span<const double> features) const override { return plane_(features); }

 private:
  Plane plane_;
};

class TheilSen final : public Regressor {
 public:
  explicit TheilSen(std::uint64_t seed) : random_(seed) {}
  void fit(const Samples& samples, std::span<const double> targets) override;
  double predict(std::span<const double> features) const override { return plane_(features); }

 private:
  std::mt19937_64 random_;
  Plane plane_;
};

class PassiveAggressive final : public Regressor {
 public:
  explicit PassiveAggressive(std::uint64_t seed) : random_(seed) {}
  void fit(const Samples& samples, std::span<const double> targets) override;
  double predict(std::span<const double> features) const override { return plane_(features); }

 private:
  std::mt19937_64 random_;
  Plane plane_;
};

class KNeighbors final : public Regressor {
 public:
  void fit(const Samples& samples, std::span<const double> targets) override;
  double predict(std::span<const double> features) const override;

 private:
  const Samples* samples_ = nullptr;
  std::vector<double> targets_;
};

/// A full binary tree: inner node i has the children 2 i + 1, for features below the threshold, and 2 i + 2.
struct RegressionTree {
  static constexpr std::size_t depth = 3;
  static constexpr std::size_t leaves = std::size_t{1} << depth;
  /// Number of inner nodes, and of the first leaf.
  static constexpr std::size_t inner = leaves - 1;

  std::array<std::size_t, inner> feature{};
  std::array<double, inner> threshold{};
  std::array<double, leaves> value{};

  double operator()(std::span<const double> features) const;
};

class GradientBoosting final : public Regressor {
 public:
  void fit(const Samples& samples, std::span<const double> targets) override;
  double predict(std::span<const double> features) const override;

 private:
  double base_ = 0;
  std::vector<RegressionTree> trees_;
};

}  // namespace pimsweep::systems::rtconc::regression
