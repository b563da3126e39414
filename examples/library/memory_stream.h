#pragma once

#include <memory>

#include "base/config_folders.h"
#include "systems/system.h"

namespace mysweep {

/// A kernel that reads and writes memory and computes nothing.
std::unique_ptr<pimsweep::systems::System> make_memory_stream(const pimsweep::ConfigFolders& configs);

}  // namespace mysweep
