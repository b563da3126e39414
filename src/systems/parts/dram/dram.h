#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::dram {

/// One DRAM channel under a pattern of requests. Reads the presets of config_dir/hardware; throws InputError with all
/// that is wrong with them.
std::unique_ptr<System> make_dram(const std::string& config_dir);

/// It has no policies: its scheduler is an axis.
std::vector<PolicyInfo> dram_policies();

}  // namespace pimsweep::systems::parts::dram
