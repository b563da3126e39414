#pragma once

#include <memory>

#include "base/config_folders.h"
#include "systems/system.h"

namespace pimsweep::systems::artifacts {

/// System "attacc-artifact": queries as AttAcc's simulator accounts for them (docs/llm.md).
std::unique_ptr<System> make_attacc_artifact(const ConfigFolders& configs);

/// System "cent-artifact": tokens and queries as CENT's simulator accounts for them (docs/cent.md).
std::unique_ptr<System> make_cent_artifact(const ConfigFolders& configs);

}  // namespace pimsweep::systems::artifacts
