#pragma once

#include "systems/pimflow/inference_point.h"
#include "systems/system.h"

namespace pimsweep::systems::pimflow {

/// Every intermediate quantity of a point: machine, layers with their times on both devices, pipelines, totals.
void explain_point(InferencePoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::pimflow
