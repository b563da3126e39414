#pragma once

#include <array>
#include <optional>
#include <random>

#include "systems/rtconc/regression/linear_solve.h"
#include "systems/rtconc/regression/regressor.h"

namespace pimsweep::systems::rtconc::regression {

/// weights . features + intercept.
struct Plane {
  std::vector<double> weights;
  double intercept = 0;

  double operator()(std::span<const double> features) const;
};

/// Finds planes of least squares through some rows of samples, for any targets.
class LeastSquaresPlane {
 public:
  LeastSquaresPlane(const Samples& samples, std::span<const std::size_t> rows);
  /// Directions that the rows leave open get no weight.
  Plane fit(std::span<const double> targets) const;

 private:
  std::vector<std::size_t> rows_;
  std::vector<double> mean_;
  /// The rows without the mean, one after another.
  std::vector<double> off_;
  SymmetricFactors factors_;
};

class LeastSquares final : public Regressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override { plane_ = through_->fit(targets); }
  double predict(std::size_t asked) const override { return plane_(asked_->row(asked)); }

 private:
  const Samples* asked_ = nullptr;
  std::optional<LeastSquaresPlane> through_;
  Plane plane_;
};

class TheilSen final : public Regressor {
 public:
  explicit TheilSen(std::uint64_t seed) : random_(seed) {}
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override;
  double predict(std::size_t asked) const override { return plane_(asked_->row(asked)); }

 private:
  std::mt19937_64 random_;
  const Samples* asked_ = nullptr;
  /// Through random subsets of the samples.
  std::vector<LeastSquaresPlane> through_;
  Plane plane_;
};

class PassiveAggressive final : public Regressor {
 public:
  explicit PassiveAggressive(std::uint64_t seed) : random_(seed) {}
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override;
  double predict(std::size_t asked) const override { return plane_(asked_->row(asked)); }

 private:
  std::mt19937_64 random_;
  const Samples* learned_ = nullptr;
  const Samples* asked_ = nullptr;
  /// The samples as all passes take them, one pass after another, and 1 + the square of each sample's length.
  std::vector<std::size_t> order_;
  std::vector<double> squares_;
  Plane plane_;
};

class KNeighbors final : public Regressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override { targets_.assign(targets.begin(), targets.end()); }
  double predict(std::size_t asked) const override;

 private:
  static constexpr std::size_t neighbors = 5;
  /// Of each sample that is asked for, the nearest first; fewer if fewer were learned.
  std::vector<std::size_t> nearest_;
  std::size_t count_ = 0;
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

/// The features of samples as bins between quantiles, for growing trees.
struct BinnedSamples {
  explicit BinnedSamples(const Samples& samples);

  std::size_t size;
  std::size_t features;
  /// Inner edges of the bins of each feature, ascending.
  std::vector<std::vector<double>> edges;
  /// Bin of each value, sample by sample.
  std::vector<unsigned char> bin;
  /// 1 / count: the search for the best division would wait for divisions.
  std::vector<double> inverse;
};

class GradientBoosting final : public Regressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override;
  double predict(std::size_t asked) const override;

 private:
  std::optional<BinnedSamples> binned_;
  const Samples* asked_ = nullptr;
  double base_ = 0;
  std::vector<RegressionTree> trees_;
};

}  // namespace pimsweep::systems::rtconc::regression
