#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::cpu_kernel {

/// Time of single operations on a many-core processor over threads and affinity, alone or two of them side by side
/// (docs/manycore.md). Axes and times are named as the columns of the sheets in results/reference/measured.
std::unique_ptr<System> make_cpu_kernel(const std::string& config_dir);

/// An operation is not scheduled: there are no policies.
std::vector<PolicyInfo> cpu_kernel_policies();

}  // namespace pimsweep::systems::parts::cpu_kernel
