#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::noc {

/// A mesh, torus or H-tree of virtual-channel routers under synthetic traffic: latency and accepted rate, by formula or
/// cycle by cycle. Needs no files.
std::unique_ptr<System> make_noc(const std::string& config_dir);

/// It has no policies.
std::vector<PolicyInfo> noc_policies();

}  // namespace pimsweep::systems::parts::noc
