#include "systems/allspark/policies/solved.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pimsweep::systems::allspark {

Decision decision_from(const scheduler::Schedule& schedule, const scheduler::ScheduleProblem& problem) {
  Decision decision;
  if (!schedule.feasible) {
    decision.infeasible = schedule.reason;
    return decision;
  }
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    std::vector<Layers>& groups = decision.stages.emplace_back();
    for (const scheduler::LayerGroup& group : schedule.stages[s]) {
      const scheduler::Scheme& scheme = problem.stages[s].schemes[static_cast<std::size_t>(group.scheme)];
      groups.push_back({{scheme.head_split, scheme.patch_split, 1}, group.layers});
    }
  }
  return decision;
}

void require_weight_reuse(const PolicyOptions& options, std::string_view policy) {
  if (options.weight_reuse) return;
  throw PointError(
      fmt::format("weight_reuse = false has no meaning for policy {}, whose program counts weights with "
                  "reuse; allowed with branch, patch, head and manual",
                  policy));
}

}  // namespace pimsweep::systems::allspark
