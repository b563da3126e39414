#pragma once

#include <string>
#include <vector>

namespace pimsweep::systems::devices {

/// Keys of the constants that the hardware file of a GPU may have, whichever of them a system uses: data sheet, older
/// libraries (gpu_axes.h), kernels of language models (serving_axes.h).
const std::vector<std::string>& gpu_file_keys();

}  // namespace pimsweep::systems::devices
