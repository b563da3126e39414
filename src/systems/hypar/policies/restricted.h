#pragma once

#include "systems/hypar/policy.h"

namespace pimsweep::systems::hypar {

/// The problem of `input`'s objective, with what is forbidden forbidden.
search::AssignmentProblem restricted_problem(const PolicyInput& input);

}  // namespace pimsweep::systems::hypar
