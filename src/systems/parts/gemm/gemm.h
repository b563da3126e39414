#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts::gemm {

/// One matrix product on a PE array: SCALE-Sim's systolic arrays, or an NVDLA-style engine under the best mapping.
std::unique_ptr<System> make_gemm(const std::string& config_dir);

/// It has no policies: dataflow and objective are axes.
std::vector<PolicyInfo> gemm_policies();

}  // namespace pimsweep::systems::parts::gemm
