#pragma once

#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// Names and docs of a system's policies, for `pimsweep list policies`.
template <typename Policies>
std::vector<PolicyInfo> policy_infos(const Policies& policies) {
  std::vector<PolicyInfo> infos;
  infos.reserve(policies.size());
  for (const auto& policy : policies) infos.push_back({std::string(policy.name), std::string(policy.doc)});
  return infos;
}

}  // namespace pimsweep::systems
