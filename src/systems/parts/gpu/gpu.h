#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::gpu {

/// Inference of a whole network on a graphics card, kernel after kernel (docs/gpu.md, "Whole networks").
std::unique_ptr<System> make_gpu(const std::string& config_dir);
/// Nothing is chosen: there are no policies.
std::vector<PolicyInfo> gpu_policies();

}  // namespace pimsweep::systems::parts::gpu
