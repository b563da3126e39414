#include "systems/heteropim/candidates.h"

#include <algorithm>
#include <array>

namespace pimsweep::systems::heteropim {

std::vector<TypeProfile> choose_candidates(const workload::training::TrainingGraph& graph, const StepCosts& costs,
                                           double share) {
  std::array<TypeProfile, workload::training::operation_types> by_type;
  double total = 0;
  for (workload::training::OperationIndex i = 0; i < graph.size(); ++i) {
    if (costs.graph.tasks[i].kind == runtime::TaskKind::none) continue;
    TypeProfile& profile = by_type[static_cast<std::size_t>(graph.at(i).type)];
    profile.type = graph.at(i).type;
    ++profile.invocations;
    profile.seconds += costs.graph.tasks[i].host;
    if (costs.graph.tasks[i].kind != runtime::TaskKind::fixed) profile.program_seconds += costs.graph.tasks[i].host;
    profile.memory_bytes += costs.host_bytes[i];
    total += costs.graph.tasks[i].host;
  }
  std::vector<TypeProfile> profiles;
  std::ranges::copy_if(by_type, std::back_inserter(profiles), [](const TypeProfile& p) { return p.invocations > 0; });
  const auto number = [&](double TypeProfile::*key, std::int64_t TypeProfile::*index) {
    std::ranges::stable_sort(profiles, std::greater{}, key);
    for (std::size_t i = 0; i < profiles.size(); ++i) profiles[i].*index = static_cast<std::int64_t>(i) + 1;
    std::ranges::sort(profiles, {}, &TypeProfile::type);
  };
  number(&TypeProfile::memory_bytes, &TypeProfile::memory_index);
  number(&TypeProfile::seconds, &TypeProfile::time_index);
  std::ranges::sort(profiles, [](const TypeProfile& a, const TypeProfile& b) {
    return std::pair(a.global_index(), a.time_index) < std::pair(b.global_index(), b.time_index);
  });
  double taken = 0;
  for (TypeProfile& profile : profiles) {
    if (taken >= share * total) break;
    profile.candidate = true;
    taken += profile.seconds;
  }
  return profiles;
}

std::vector<std::uint8_t> candidate_flags(const workload::training::TrainingGraph& graph,
                                          const std::vector<TypeProfile>& profile) {
  std::array<bool, workload::training::operation_types> chosen{};
  for (const TypeProfile& type : profile) chosen[static_cast<std::size_t>(type.type)] = type.candidate;
  std::vector<std::uint8_t> flags;
  for (const workload::training::TrainingOperation& operation : graph.operations()) {
    flags.push_back(chosen[static_cast<std::size_t>(operation.type)] ? 1 : 0);
  }
  return flags;
}

}  // namespace pimsweep::systems::heteropim
