#pragma once

#include <array>
#include <optional>
#include <random>
#include <string_view>

#include "systems/rtconc/regression/regressor.h"
#include "systems/rtconc/regression/tree_group.h"

namespace pimsweep::systems::rtconc::regression {

/// The Cholesky factors of a symmetric positive semidefinite matrix, to solve systems with it.
class SymmetricFactors {
 public:
  /// Takes the lower half of the matrix, row by row, of `size` rows.
  SymmetricFactors(std::vector<double> matrix, std::size_t size);
  /// Replaces the right side by the unknowns; those that the others determine are 0.
  void solve(std::vector<double>& right) const;

 private:
  double& at(std::size_t row, std::size_t column) { return matrix_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return matrix_[row * size_ + column]; }

  std::vector<double> matrix_;
  std::size_t size_;
  /// 1 for unknowns that the others determine.
  std::vector<char> open_;
};

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
  /// Concatenated rows without the mean.
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
  /// Sample order of all passes, concatenated, and 1 + the squared length of each sample.
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
  /// Neighbors of each sample to predict, the nearest first; fewer if fewer samples were learned.
  std::vector<std::size_t> nearest_;
  std::size_t count_ = 0;
  std::size_t learned_ = 0;
  std::vector<double> targets_;
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

struct Method {
  std::string_view name;
  MakeRegressor make;
};

/// The regression methods of Table IV, with scikit-learn's default parameters of 2018.
/// "gradient-boosting": Friedman 2001, 100 trees of depth 3, rate 0.1. "k-neighbors": mean of the 5 nearest.
/// "theil-sen": spatial median of least squares over random subsets, Dang et al. 2008. "ols": ordinary least squares.
/// "par": passive aggressive regression, Crammer et al. 2006, PA-I.
extern const std::array<Method, 5> methods;

}  // namespace pimsweep::systems::rtconc::regression
