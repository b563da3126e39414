#pragma once

#include "systems/heteropim/outcome.h"
#include "systems/roofline.h"

namespace pimsweep::systems::heteropim {

/// Host and PIM, or the GPU, in their rooflines, with multiplications and additions alone.
Roofline roofline_of(const Settings& settings, const Outcome& outcome);

void explain_point(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                   Explanation& explanation);

}  // namespace pimsweep::systems::heteropim
