#include "systems/allspark/policies/fixed.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/integer_math.h"
#include "systems/allspark/memory.h"

namespace pimsweep::allspark {

namespace {

Partition largest(const std::vector<Partition>& candidates, FixedSplit split) {
  Partition best{1, 1, 1};
  for (const Partition& candidate : candidates) {
    const bool allowed = (split == FixedSplit::heads || candidate.head_split == 1) &&
                         (split == FixedSplit::patches || candidate.patch_split == 1);
    if (allowed && candidate.nodes() > best.nodes()) best = candidate;
  }
  return best;
}

}  // namespace

Decision decide_fixed(ModelCosts& costs, const PolicyOptions& options, FixedSplit split) {
  std::vector<std::vector<Layers>> stages;
  std::int64_t most_sub_arrays = 1;
  for (std::size_t s = 0; s < costs.stages(); ++s) {
    const Partition partition = largest(costs.candidates(s), split);
    const std::int64_t capacity = costs.cost(s, partition).capacity;
    stages.push_back({{partition, hardware::ceil_div(branch_count(costs.stage(s)), capacity)}});
    most_sub_arrays = std::max(most_sub_arrays, capacity);
  }
  // Without weight sharing every sub-array has to hold its own.
  const std::int64_t largest_group = costs.conditions().weight_sharing ? most_sub_arrays : 1;
  Decision decision;
  std::string shortage;
  for (std::int64_t group = 1; group <= largest_group; ++group) {
    decision.stages = stages;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      Partition& partition = decision.stages[s].front().partition;
      partition.sharing_group = std::min(group, costs.cost(s, partition).capacity);
    }
    shortage = memory_shortage(memory_use(costs, decision.stages, options.weight_reuse), costs.machine());
    if (shortage.empty()) {
      if (group > 1)
        decision.caveat =
            fmt::format("each weight is spread over {} sub-arrays to fit (not in the paper's equations)", group);
      return decision;
    }
  }
  decision.infeasible = shortage;
  if (largest_group > 1) decision.infeasible += fmt::format(" even when {} sub-arrays share them", largest_group);
  return decision;
}

}  // namespace pimsweep::allspark
