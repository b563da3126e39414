#pragma once

#include "systems/hypar/training_point.h"
#include "systems/system.h"

namespace pimsweep::systems::hypar {

/// All intermediate quantities of a point: machine, layers with exchanges level by level, times and energies.
void explain_point(const TrainingPoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::hypar
