#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::kernel {

/// Time and energy of single GPU kernels (docs/gpu.md): matrix products, convolutions, recurrent layers, depthwise
/// convolutions, element-wise operations and pooling. Axes and times are named as the columns of the DeepBench sheets
/// in results/reference/measured.
std::unique_ptr<System> make_kernel(const std::string& config_dir);

/// A kernel is not scheduled: there are no policies.
std::vector<PolicyInfo> kernel_policies();

}  // namespace pimsweep::systems::parts::kernel
