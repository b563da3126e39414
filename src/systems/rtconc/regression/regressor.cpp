#include "systems/rtconc/regression/regressor.h"

#include <cmath>

namespace pimsweep::systems::rtconc::regression {

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
