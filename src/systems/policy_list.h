#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "systems/system.h"

/// What every system does with its list of policies; a Policy has a name and a doc.
namespace pimsweep::systems {

/// The schema admits no other name than the list's.
template <typename Policy>
const Policy& policy_named(const std::vector<Policy>& policies, std::string_view name) {
  const auto found = std::ranges::find(policies, name, &Policy::name);
  if (found == policies.end()) throw std::logic_error("no policy " + std::string(name));
  return *found;
}

/// Choices of the axis `policy`.
template <typename Policy>
std::vector<std::string> policy_names(const std::vector<Policy>& policies) {
  std::vector<std::string> names;
  names.reserve(policies.size());
  for (const Policy& policy : policies) names.emplace_back(policy.name);
  return names;
}

template <typename Policies>
std::vector<PolicyInfo> policy_infos(const Policies& policies) {
  std::vector<PolicyInfo> infos;
  infos.reserve(policies.size());
  for (const auto& policy : policies) infos.push_back({std::string(policy.name), std::string(policy.doc)});
  return infos;
}

}  // namespace pimsweep::systems
