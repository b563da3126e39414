#pragma once

#include <memory>
#include <vector>

#include "systems/system.h"

/// UPMEM's DPUs, a small core beside each DRAM bank (docs/upmem.md).
namespace pimsweep::systems::upmem {

/// A kernel on the DPUs of a machine: transfers by the host, and the time of the fullest DPU.
std::unique_ptr<System> make_upmem(const ConfigFolders& configs);

/// The products of a network on DPUs, and the policies that place its matrices.
std::unique_ptr<System> make_upmem_network(const ConfigFolders& configs);
std::vector<PolicyInfo> upmem_policies();

}  // namespace pimsweep::systems::upmem
