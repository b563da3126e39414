#pragma once

#include "systems/rtconc/training_run.h"
#include "systems/system.h"

namespace pimsweep::systems::rtconc {

void explain_run(const Settings& settings, const TrainingRun& run, Explanation& explanation);

}  // namespace pimsweep::systems::rtconc
