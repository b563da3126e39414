#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// The system "allspark": visual Transformers on the PIM-node array of the Allspark paper (docs/allspark.md). Models
/// come from configs.models. Throws InputError if there is no model.
std::unique_ptr<System> make_allspark(const ConfigFolders& configs);

/// The policies of its axis `policy`.
std::vector<PolicyInfo> allspark_policies();

}  // namespace pimsweep::systems::allspark
