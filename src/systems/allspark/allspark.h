#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// The system "allspark": visual Transformers on the PIM-node array of the Allspark paper (docs/allspark.md). Models
/// come from config_dir/models. Throws InputError if a model file is wrong.
std::unique_ptr<System> make_allspark(const std::string& config_dir);

/// The policies of its axis `policy`.
std::vector<PolicyInfo> allspark_policies();

}  // namespace pimsweep::systems::allspark
