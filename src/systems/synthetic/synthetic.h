#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep {

/// Busy work without any model: measures the driver, and lets its tests make points that fail, are infeasible or write
/// detail rows. The results depend on the axes alone, never on the clock.
std::unique_ptr<System> make_synthetic(const std::string& config_dir);

std::vector<PolicyInfo> synthetic_policies();

}  // namespace pimsweep
