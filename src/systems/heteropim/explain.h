#pragma once

#include "systems/heteropim/training_point.h"
#include "systems/system.h"

namespace pimsweep::heteropim {

void explain_point(const Settings& settings, const workload::TrainingGraph& graph, const Outcome& outcome,
                   Explanation& explanation);

}  // namespace pimsweep::heteropim
