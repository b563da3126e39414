#pragma once

#include "systems/llm/evaluation.h"
#include "systems/system.h"

namespace pimsweep::systems::llm {

/// Every intermediate quantity of a point.
void explain_point(const Settings& settings, const Evaluation& evaluation, Explanation& explanation);

}  // namespace pimsweep::systems::llm
