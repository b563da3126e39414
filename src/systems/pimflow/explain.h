#pragma once

#include "systems/pimflow/inference_point.h"
#include "systems/system.h"

namespace pimsweep::systems::pimflow {

/// All intermediate quantities of a point: machine, layers with times on both devices, pipelines and totals.
void explain_point(InferencePoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::pimflow
