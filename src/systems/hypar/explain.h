#pragma once

#include "systems/hypar/training_point.h"
#include "systems/system.h"

namespace pimsweep::systems::hypar {

/// Every intermediate quantity of a point: machine, layers with their exchanges level by level, times, energy.
void explain_point(const TrainingPoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::hypar
