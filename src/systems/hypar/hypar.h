#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::hypar {

/// HyPar (Song et al., HPCA 2019): training on an array of accelerators in HMC cubes, each layer in data or model
/// parallelism at each level of the array's hierarchy.
std::unique_ptr<System> make_hypar(const ConfigFolders& configs);
std::vector<PolicyInfo> hypar_policies();

}  // namespace pimsweep::systems::hypar
