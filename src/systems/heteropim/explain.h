#pragma once

#include "systems/heteropim/outcome.h"
#include "systems/system.h"

namespace pimsweep::systems::heteropim {

void explain_point(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                   Explanation& explanation);

}  // namespace pimsweep::systems::heteropim
