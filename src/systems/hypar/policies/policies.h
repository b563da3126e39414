#pragma once

#include "systems/hypar/policy.h"

namespace pimsweep::hypar {

Policy data_policy();
Policy model_policy();
Policy trick_policy();
Policy hypar_policy();
Policy exhaustive_policy();
Policy hypar_optimal_policy();

}  // namespace pimsweep::hypar
