#pragma once

#include <memory>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::llm {

/// Language models that generate text on GPUs and PIM (docs/llm.md).
std::unique_ptr<System> make_llm(const ConfigFolders& configs);
std::vector<PolicyInfo> llm_policies();

}  // namespace pimsweep::systems::llm
