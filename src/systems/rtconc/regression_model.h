#pragma once

#include <vector>

#include "systems/rtconc/counters.h"
#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/regression/regressor.h"

namespace pimsweep::systems::rtconc {

/// Operations whose times are known, to learn from or to predict.
struct Known {
  std::vector<schedule::OperationClass> classes;
  /// With all threads awake.
  const schedule::RunTimes* times = nullptr;
  /// For each class 1 if the clock is too coarse for it: nothing is learned from such classes.
  std::vector<char> untimed;
};

/// How a model learns.
struct Learning {
  regression::MakeRegressor make_regressor = nullptr;
  /// Sample cases (N).
  std::size_t samples = 1;
  /// Maximum number of operations, drawn at random, to learn from.
  std::size_t max_operations = 400;
  double counter_interval = 0;
  std::uint64_t seed = 0;
};

/// One model for each case (Sec. III-B), learned from operations of other steps. Times are in ms, features
/// standardized. A predicted time is at least a nanosecond.
PerformanceModel regression_model(const hardware::manycore::Device& device, std::span<const schedule::Case> cases,
                                  std::span<const Known> known, const Known& wanted, const Learning& learning);

}  // namespace pimsweep::systems::rtconc
