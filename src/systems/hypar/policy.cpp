#include "systems/hypar/policy.h"

#include "systems/hypar/policies/policies.h"
#include "systems/policy_list.h"

namespace pimsweep::systems::hypar {

const std::vector<Policy>& policies() {
  static const std::vector<Policy> all = registered_policies();
  return all;
}

const Policy& policy_named(std::string_view name) { return systems::policy_named(policies(), name); }

}  // namespace pimsweep::systems::hypar
