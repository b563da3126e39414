#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::synthetic {

/// A system that models nothing: each point keeps its rank busy for a chosen time, and fails or is infeasible at a
/// chosen rate, so that the driver and the results can be measured and tested. All metrics are pure functions of the
/// point.
std::unique_ptr<System> make_synthetic(const std::string& config_dir);

/// The synthetic system has no policies.
std::vector<PolicyInfo> synthetic_policies();

}  // namespace pimsweep::systems::parts::synthetic
