#pragma once

#include "systems/hypar/training_point.h"
#include "systems/roofline.h"

namespace pimsweep::systems::hypar {

/// GEMMs of all accelerators in their roofline, with the DRAM accesses of their operands.
RooflinePart roofline_part(const TrainingPoint& point, double time);

/// All intermediate quantities of a point: machine, layers with exchanges level by level, times and energies.
void explain_point(const TrainingPoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::hypar
