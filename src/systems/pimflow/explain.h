#pragma once

#include "systems/pimflow/inference_point.h"
#include "systems/roofline.h"

namespace pimsweep::systems::pimflow {

/// The GPU and its PIM channels in their rooflines. A multiply-accumulate on PIM reads a weight from its bank.
Roofline roofline_of(const InferencePoint& point);

/// All intermediate quantities of a point: machine, layers with times on both devices, pipelines and totals.
void explain_point(InferencePoint& point, Explanation& explanation);

}  // namespace pimsweep::systems::pimflow
