#pragma once

#include "systems/allspark/policy.h"

namespace pimsweep::allspark {

Policy branch_policy();
Policy patch_policy();
Policy head_policy();
Policy allspark_policy();
Policy allspark_ilp_policy();
Policy allspark_milp_policy();
Policy ideal_policy();
Policy manual_policy();
Policy gpu_policy();
Policy operators_policy();

}  // namespace pimsweep::allspark
