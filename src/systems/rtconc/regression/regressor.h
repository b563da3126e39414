#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pimsweep::systems::rtconc::regression {

/// Samples as rows of features.
struct Samples {
  std::size_t features = 0;
  std::vector<double> values;

  std::size_t size() const { return features == 0 ? 0 : values.size() / features; }
  std::span<const double> row(std::size_t i) const { return {&values[i * features], features}; }
};

/// A model that learns a number from features, and predicts it for others. Many numbers may be learned of the same
/// features: what depends on these alone is done once.
class Regressor {
 public:
  virtual ~Regressor() = default;
  /// Both must stay as long as the model is used.
  virtual void prepare(const Samples& learned, const Samples& asked) = 0;
  /// Learns targets, each of which has a number for every learned sample, one target after another.
  virtual void fit(std::span<const double> targets) = 0;
  /// The number of a sample that is asked for, by a target that was learned.
  virtual double predict(std::size_t target, std::size_t asked) const = 0;
};

/// Makes a regressor that draws with this seed, if it draws at all.
using MakeRegressor = std::unique_ptr<Regressor> (*)(std::uint64_t seed);

struct Method {
  std::string_view name;
  MakeRegressor make;
};

/// The regression methods of Table IV, with scikit-learn's default parameters of 2018.
/// "gradient-boosting": Friedman 2001, 100 trees of depth 3, rate 0.1. "k-neighbors": mean of the 5 nearest.
/// "theil-sen": spatial median of least squares over random subsets, Dang et al. 2008. "ols": ordinary least squares.
/// "par": passive aggressive regression, Crammer et al. 2006, PA-I.
extern const std::array<Method, 5> methods;

/// Standardizes features: subtracts the mean and divides by the standard deviation. A constant feature becomes 0.
class Scaling {
 public:
  explicit Scaling(const Samples& samples);
  Samples operator()(const Samples& samples) const;

 private:
  std::vector<double> mean_, factor_;
};

}  // namespace pimsweep::systems::rtconc::regression
