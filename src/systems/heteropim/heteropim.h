#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::heteropim {

/// Hetero-PIM (Liu et al., MICRO 2018): training steps scheduled operation by operation on a host, programmable PIM and
/// fixed-function PIM, and the machines that the paper compares it with.
std::unique_ptr<System> make_heteropim(const ConfigFolders& configs);
std::vector<PolicyInfo> heteropim_policies();

}  // namespace pimsweep::systems::heteropim
