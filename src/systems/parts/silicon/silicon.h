#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::silicon {

/// Area and cost of a heap of parts: what densities, yield and prices alone do (docs/explore.md).
std::unique_ptr<System> make_silicon(const std::string& config_dir);

/// It has no policies.
std::vector<PolicyInfo> silicon_policies();

}  // namespace pimsweep::systems::parts::silicon
