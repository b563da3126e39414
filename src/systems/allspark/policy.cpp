#include "systems/allspark/policy.h"

#include <stdexcept>
#include <string>

#include "systems/allspark/policies/policies.h"

namespace pimsweep::allspark {

const std::vector<Policy>& policies() {
  static const std::vector<Policy> all = registered_policies();
  return all;
}

const Policy& policy_named(std::string_view name) {
  for (const Policy& policy : policies()) {
    if (policy.name == name) return policy;
  }
  throw std::logic_error("no policy " + std::string(name));
}

}  // namespace pimsweep::allspark
