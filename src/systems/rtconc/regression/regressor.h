#pragma once

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

/// A model that learns a number from features.
class Regressor {
 public:
  virtual ~Regressor() = default;
  /// The samples must stay as long as the model is used.
  virtual void fit(const Samples& samples, std::span<const double> targets) = 0;
  virtual double predict(std::span<const double> features) const = 0;
};

/// Names of the models of Table IV, and one by its name. Parameters are scikit-learn's defaults of 2018.
/// "gradient-boosting": Friedman 2001, 100 trees of depth 3, rate 0.1. "k-neighbours": mean of the 5 nearest.
/// "ols": ordinary least squares. "par": passive aggressive regression, Crammer et al. 2006, PA-I.
/// "theil-sen": spatial median of least squares over random subsets, Dang et al. 2008.
std::span<const std::string_view> regressor_names();
std::unique_ptr<Regressor> make_regressor(std::string_view name, std::uint64_t seed);

/// Features less their mean, by their standard deviation; a feature that is always the same becomes 0.
class Scaling {
 public:
  explicit Scaling(const Samples& samples);
  Samples operator()(const Samples& samples) const;

 private:
  std::vector<double> mean_, factor_;
};

}  // namespace pimsweep::systems::rtconc::regression
