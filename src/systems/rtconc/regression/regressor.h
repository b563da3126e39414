#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pimsweep::systems::rtconc::regression {

/// Samples as rows of features.
struct Samples {
  std::size_t features = 0;
  std::vector<double> values;

  std::size_t size() const { return features == 0 ? 0 : values.size() / features; }
  std::span<const double> row(std::size_t i) const { return {&values[i * features], features}; }
};

/// A model that learns targets from the features of some samples and predicts them for others. Many targets are learned
/// of the same features, so that work on the features is done once, in prepare().
///
///     std::unique_ptr<Regressor> regressor = method.make(seed);
///     regressor->prepare(learned, asked);
///     regressor->fit(targets);           // learned.size() numbers for each target
///     regressor->predict(target, i);     // of sample i of `asked`
class Regressor {
 public:
  virtual ~Regressor() = default;
  /// Samples to learn from, and samples to predict. Both must outlive the use of the model.
  virtual void prepare(const Samples& learned, const Samples& asked) = 0;
  /// Learns targets, which are concatenated; each has a value for every learned sample.
  virtual void fit(std::span<const double> targets) = 0;
  /// The prediction of a learned target for a sample of `asked`.
  virtual double predict(std::size_t target, std::size_t asked) const = 0;
};

/// Makes a regressor; the seed is for those that use random numbers.
using MakeRegressor = std::unique_ptr<Regressor> (*)(std::uint64_t seed);

/// Standardizes features: subtracts the mean and divides by the standard deviation. A constant feature becomes 0.
class Scaling {
 public:
  explicit Scaling(const Samples& samples);
  Samples operator()(const Samples& samples) const;

 private:
  std::vector<double> mean_, factor_;
};

}  // namespace pimsweep::systems::rtconc::regression
