#pragma once

#include <memory>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::serving {

/// The system `serving`: requests that arrive at a language model on GPUs with processing in memory.
std::unique_ptr<System> make_serving(const ConfigFolders& configs);

/// Policies of the system `serving`.
std::vector<PolicyInfo> serving_policies();

}  // namespace pimsweep::systems::serving
