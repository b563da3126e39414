#pragma once

#include "systems/pimflow/policy.h"

namespace pimsweep::pimflow {

Policy gpu_policy();
Policy newton_plus_policy();
Policy newton_plus_plus_policy();
Policy pimflow_md_policy();
Policy pimflow_pl_policy();
Policy pimflow_policy();
Policy pimflow_optimal_policy();

}  // namespace pimsweep::pimflow
