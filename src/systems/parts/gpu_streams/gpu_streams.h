#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::gpu_streams {

/// One operation on a graphics card with a chosen number of threads and thread blocks, and two of it at the same time
/// (docs/gpu.md): what Sec. VII of the runtime concurrency paper measures. Axes are named as those of `kernel`.
std::unique_ptr<System> make_gpu_streams(const std::string& config_dir);

/// Launches and company are axes: there are no policies.
std::vector<PolicyInfo> gpu_streams_policies();

}  // namespace pimsweep::systems::parts::gpu_streams
