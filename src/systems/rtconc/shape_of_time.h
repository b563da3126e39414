#pragma once

#include "systems/rtconc/hill_climbing.h"

namespace pimsweep::systems::rtconc {

/// Shape of times over threads, for all timed classes (Sec. III-C claims that it is convex and without local optima).
struct ShapeOfTime {
  double not_convex = 0;
  double with_local_optima = 0;
  /// Mean of time in the case predicted to be best / best time - 1.
  double mean_loss = 0;
};

ShapeOfTime shape_of_time(const schedule::CostTable& costs, std::span<const schedule::Case> cases,
                          const PerformanceModel& model);

}  // namespace pimsweep::systems::rtconc
