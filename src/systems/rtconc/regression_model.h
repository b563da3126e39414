#pragma once

#include <string_view>
#include <vector>

#include "systems/rtconc/counters.h"
#include "systems/rtconc/hill_climbing.h"

namespace pimsweep::systems::rtconc {

/// Operations whose times are known, to learn from or to predict.
struct Known {
  std::span<const schedule::OperationClass> classes;
  const schedule::CostTable* costs = nullptr;
  /// Classes that the clock is too coarse for: nothing is learnt from them.
  std::vector<char> untimed;
};

/// How a model learns.
struct Learning {
  std::string_view regressor;
  /// Sample cases (N).
  std::size_t samples = 1;
  /// Operations to learn from are drawn, at most so many.
  std::size_t max_operations = 400;
  double counter_interval = 0;
  std::uint64_t seed = 0;
};

/// A model for each case (Sec. III-B), learnt from other steps' operations. Times in ms; features are scaled. A
/// predicted time is at least a nanosecond.
PerformanceModel regression_model(const hardware::manycore::Device& device, std::span<const schedule::Case> cases,
                                  std::span<const Known> known, const Known& wanted, const Learning& learning);

}  // namespace pimsweep::systems::rtconc
