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

/// A model that is a plane for each target.
class PlaneRegressor : public Regressor {
 public:
  void fit(std::span<const double> targets) final;
  double predict(std::size_t target, std::size_t asked) const final { return planes_[target](asked_->row(asked)); }

 protected:
  void keep(const Samples& learned, const Samples& asked);
  const Samples& learned() const { return *learned_; }

 private:
  virtual Plane plane_of(std::span<const double> targets) const = 0;

  const Samples* learned_ = nullptr;
  const Samples* asked_ = nullptr;
  std::vector<Plane> planes_;
};

class LeastSquares final : public PlaneRegressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;

 private:
  Plane plane_of(std::span<const double> targets) const override { return through_->fit(targets); }

  std::optional<LeastSquaresPlane> through_;
};

class TheilSen final : public PlaneRegressor {
 public:
  explicit TheilSen(std::uint64_t seed) : random_(seed) {}
  void prepare(const Samples& learned, const Samples& asked) override;

 private:
  Plane plane_of(std::span<const double> targets) const override;

  std::mt19937_64 random_;
  /// Through random subsets of the samples.
  std::vector<LeastSquaresPlane> through_;
};

class PassiveAggressive final : public PlaneRegressor {
 public:
  explicit PassiveAggressive(std::uint64_t seed) : random_(seed) {}
  void prepare(const Samples& learned, const Samples& asked) override;

 private:
  Plane plane_of(std::span<const double> targets) const override;

  std::mt19937_64 random_;
  /// The samples as all passes take them, one pass after another, and 1 + the square of each sample's length.
  std::vector<std::size_t> order_;
  std::vector<double> squares_;
};

class KNeighbors final : public Regressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override { targets_.assign(targets.begin(), targets.end()); }
  double predict(std::size_t target, std::size_t asked) const override;

 private:
  static constexpr std::size_t neighbors = 5;
  /// Of each sample that is asked for, the nearest first; fewer if fewer were learned.
  std::vector<std::size_t> nearest_;
  std::size_t count_ = 0;
  std::size_t learned_ = 0;
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
  /// Number of quantiles of each feature between which thresholds are tried.
  static constexpr std::size_t bins = 32;

  /// At most 65,535 samples.
  explicit BinnedSamples(const Samples& samples);
  /// The samples in a bin, in their order.
  std::span<const std::uint16_t> samples_in(std::size_t feature, std::size_t which) const {
    const std::uint32_t* const from = &begin[feature * (bins + 1) + which];
    return {&by_bin[feature * size] + from[0], from[1] - from[0]};
  }

  std::size_t size;
  std::size_t features;
  /// Inner edges of the bins of each feature, ascending.
  std::vector<std::vector<double>> edges;
  /// Bin of each value, sample by sample.
  std::vector<unsigned char> bin;
  /// 1 / count: the search for the best division would wait for divisions.
  std::vector<double> inverse;
  /// The samples bin by bin, for one feature after another, and where each of its bins begins.
  std::vector<std::uint16_t> by_bin;
  std::vector<std::uint32_t> begin;
};

class GradientBoosting final : public Regressor {
 public:
  void prepare(const Samples& learned, const Samples& asked) override;
  void fit(std::span<const double> targets) override;
  double predict(std::size_t target, std::size_t asked) const override {
    return predictions_[target * asked_->size() + asked];
  }

 private:
  void fit_group(std::span<const double> targets, std::size_t first);

  std::optional<BinnedSamples> binned_;
  const Samples* asked_ = nullptr;
  /// Target by target.
  std::vector<double> predictions_;
};

}  // namespace pimsweep::systems::rtconc::regression
