#include "systems/allspark/fixed_split.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/integer_math.h"
#include "systems/allspark/memory.h"

namespace pimsweep::systems::allspark {

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

Decision choose_fixed_split(ModelCosts& costs, const PolicyOptions& options, FixedSplit split) {
  std::vector<std::vector<Layers>> stages;
  std::int64_t max_sub_arrays = 1;
  for (std::size_t s = 0; s < costs.stages(); ++s) {
    const Partition partition = largest(costs.candidates(s), split);
    const std::int64_t capacity = costs.cost(s, partition).capacity;
    stages.push_back({{partition, hardware::ceil_div(branch_count(costs.stage(s)), capacity)}});
    max_sub_arrays = std::max(max_sub_arrays, capacity);
  }
  Decision decision;
  const auto shortage_with = [&](std::int64_t group) {
    decision.stages = stages;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      Partition& partition = decision.stages[s].front().partition;
      partition.sharing_group = std::min(group, costs.cost(s, partition).capacity);
    }
    return memory_shortage(memory_use(costs, decision.stages, options.weight_reuse), costs.machine());
  };
  decision.infeasible = shortage_with(1);
  // Without weight sharing every sub-array has to hold its own.
  if (decision.infeasible.empty() || !costs.conditions().weight_sharing || max_sub_arrays == 1) return decision;

  decision.infeasible = shortage_with(max_sub_arrays);
  if (!decision.infeasible.empty()) {
    decision.infeasible += fmt::format(" even when {} sub-arrays share them", max_sub_arrays);
    return decision;
  }
  // The more sub-arrays share, the less each stores; the workspace is the same for every group above one.
  std::int64_t too_few = 1;
  std::int64_t enough = max_sub_arrays;
  while (enough - too_few > 1) {
    const std::int64_t middle = too_few + (enough - too_few) / 2;
    (shortage_with(middle).empty() ? enough : too_few) = middle;
  }
  shortage_with(enough);  // leaves its partitions in the decision
  decision.caveat =
      fmt::format("each weight is spread over up to {} sub-arrays to fit (not in the paper's equations)", enough);
  return decision;
}

}  // namespace pimsweep::systems::allspark
