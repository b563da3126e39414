#pragma once

#include <string_view>

#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Turns a solver's schedule into a decision.
Decision decision_from(const scheduler::Schedule& schedule, const scheduler::ScheduleProblem& problem);

/// Throws PointError unless temporal layers reuse weights: Eq. (5)-(11), which the solvers optimise, have reuse built
/// in.
void require_weight_reuse(const PolicyOptions& options, std::string_view policy);

}  // namespace pimsweep::systems::allspark
