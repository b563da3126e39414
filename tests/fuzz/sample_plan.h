#pragma once

#include <string>
#include <vector>

#include "sweep/plan.h"

namespace pimsweep::fuzz {

/// A plan of two studies and ten points of the system "fake", which this file also puts in the place of the registry.
/// Made once.
const sweep::Plan& sample_plan();

/// Three journals of the plan: points that are ok, infeasible and failed, some of them in two journals, and a death.
/// Made once.
const std::vector<std::string>& sample_journals();

}  // namespace pimsweep::fuzz
