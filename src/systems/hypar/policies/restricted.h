#pragma once

#include "systems/hypar/policy.h"

namespace pimsweep::hypar {

/// The problem of `input`'s objective, with what is forbidden forbidden.
AssignmentProblem restricted_problem(const PolicyInput& input);

}  // namespace pimsweep::hypar
