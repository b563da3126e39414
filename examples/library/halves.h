#pragma once

#include "systems/hypar/policy.h"

namespace mysweep {

/// HyPar's array with model parallelism between its halves and data parallelism below.
pimsweep::systems::hypar::Choice choose_halves(const pimsweep::systems::hypar::PolicyInput& input);

}  // namespace mysweep
