#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/regression/regressor.h"

namespace pimsweep::systems::rtconc {

/// Operations with known times, to learn from or to predict.
struct Known {
  std::vector<schedule::OperationClass> classes;
  /// With all threads awake.
  const schedule::RunTimes* times = nullptr;
  /// For each class, 1 if the clock is too coarse for it: nothing is learned from such classes.
  std::vector<char> untimed;
};

/// Input of the learning of a model.
struct Learning {
  /// Sample cases (N).
  std::size_t samples = 1;
  /// Maximum number of operations, sampled at random, to learn from.
  std::size_t max_operations = 400;
  double counter_interval = 0;
  std::uint64_t seed = 0;

  friend bool operator==(const Learning&, const Learning&) = default;
};

/// Features of the operations to learn from and of those to predict, standardized: the same for every regression.
struct Observations {
  /// A class of a known step.
  struct Place {
    std::size_t step;
    std::size_t operation_class;
  };
  /// The classes to learn from.
  std::vector<Place> places;
  regression::Samples learned, asked;
};

Observations observe(const hardware::manycore::Device& device, std::span<const schedule::Case> cases,
                     std::span<const Known> known, const Known& wanted, const Learning& learning);

/// One model for each case (Sec. III-B), learned from operations of other steps. Times are in ms. A predicted time is
/// at least a nanosecond.
PerformanceModel regression_model(regression::Regressor& regressor, std::span<const schedule::Case> cases,
                                  std::span<const Known> known, const Observations& observed);

}  // namespace pimsweep::systems::rtconc
