#pragma once

#include "systems/heteropim/outcome.h"

namespace pimsweep::systems::heteropim {

/// Energy of a step that takes `outcome.time`.
StepEnergy energy_of(const Settings& settings, const Outcome& outcome);

}  // namespace pimsweep::systems::heteropim
