#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::pimflow {

/// PIMFlow (Shin et al., CGO 2023): inference on a GPU some of whose memory channels compute (Newton PIM), with layers
/// split over both and pipelined.
std::unique_ptr<System> make_pimflow(const ConfigFolders& configs);
std::vector<PolicyInfo> pimflow_policies();

}  // namespace pimsweep::systems::pimflow
