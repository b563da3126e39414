#pragma once

#include "systems/rtconc/hill_climbing.h"

namespace pimsweep::systems::rtconc {

/// What times over threads look like, over all timed classes (Sec. III-C says: convex, and no local optima).
struct ShapeOfTime {
  double not_convex = 0;
  double with_local_optima = 0;
  /// Of the case that is predicted to be the best, by the best, minus 1: mean over them.
  double mean_loss = 0;
};

ShapeOfTime shape_of_time(const schedule::CostTable& costs, std::span<const schedule::Case> cases,
                          const PerformanceModel& model);

}  // namespace pimsweep::systems::rtconc
