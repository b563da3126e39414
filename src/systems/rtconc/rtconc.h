#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::rtconc {

/// Training steps on a many-core processor under the runtime of Liu et al., "Runtime Concurrency Control and Operation
/// Scheduling for High Performance Neural Network Training" (IPDPS 2019), and under TensorFlow's own (docs/rtconc.md).
std::unique_ptr<System> make_rtconc(const ConfigFolders& configs);

std::vector<PolicyInfo> rtconc_policies();

}  // namespace pimsweep::systems::rtconc
