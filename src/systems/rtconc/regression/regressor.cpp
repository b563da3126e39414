#include "systems/rtconc/regression/regressor.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "systems/rtconc/regression/models.h"

namespace pimsweep::systems::rtconc::regression {

std::span<const std::string_view> regressor_names() {
  static constexpr std::array<std::string_view, 5> names{"gradient-boosting", "k-neighbours", "theil-sen", "ols",
                                                         "par"};
  return names;
}

std::unique_ptr<Regressor> make_regressor(std::string_view name, std::uint64_t seed) {
  if (name == "gradient-boosting") return std::make_unique<GradientBoosting>();
  if (name == "k-neighbours") return std::make_unique<KNeighbours>();
  if (name == "theil-sen") return std::make_unique<TheilSen>(seed);
  if (name == "ols") return std::make_unique<LeastSquares>();
  if (name == "par") return std::make_unique<PassiveAggressive>(seed);
  throw std::logic_error("no regressor " + std::string(name));
}

Scaling::Scaling(const Samples& samples) : mean_(samples.features), factor_(samples.features) {
  const auto count = static_cast<double>(samples.size());
  std::vector<double> squares(samples.features);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t f = 0; f < samples.features; ++f) mean_[f] += samples.row(i)[f] / count;
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t f = 0; f < samples.features; ++f) {
      squares[f] += (samples.row(i)[f] - mean_[f]) * (samples.row(i)[f] - mean_[f]) / count;
    }
  }
  for (std::size_t f = 0; f < samples.features; ++f) factor_[f] = squares[f] > 0 ? 1 / std::sqrt(squares[f]) : 0;
}

Samples Scaling::operator()(const Samples& samples) const {
  Samples result = samples;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const std::size_t f = i % samples.features;
    result.values[i] = (result.values[i] - mean_[f]) * factor_[f];
  }
  return result;
}

}  // namespace pimsweep::systems::rtconc::regression
