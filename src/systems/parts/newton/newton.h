#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::newton {

/// The PIM part of PIMFlow on its own: one layer on Newton's DRAM channels. Reads the DRAM presets of
/// config_dir/hardware; throws InputError with all that is wrong with them.
std::unique_ptr<System> make_newton(const std::string& config_dir);

/// It has no policies: its controllers are an axis.
std::vector<PolicyInfo> newton_policies();

}  // namespace pimsweep::systems::parts::newton
