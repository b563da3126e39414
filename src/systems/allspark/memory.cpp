#include "systems/allspark/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "systems/allspark/scheduler/size_text.h"

namespace pimsweep::systems::allspark {

MemoryUse memory_use(ModelCosts& costs, const std::vector<std::vector<Layers>>& stages, bool weight_reuse) {
  MemoryUse use;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    Count weights = 0;
    Count merging = 0;
    std::int64_t workspace = 0;
    const auto whole = std::find_if(stages[s].begin(), stages[s].end(),
                                    [](const Layers& group) { return group.partition.nodes() == 1; });
    for (const Layers& group : stages[s]) {
      const PartitionCost& cost = costs.cost(s, group.partition);
      workspace = std::max(workspace, cost.workspace_bytes);
      if (weight_reuse && whole != stages[s].end() && group.partition.nodes() != 1) continue;
      const Count copies = weight_reuse ? 1 : group.layers;
      weights += copies * cost.weight_bytes;
      merging += copies * cost.merging_bytes;
    }
    use.stage_weights.push_back(weights);
    use.stage_workspace.push_back(workspace);
    use.weights += weights;
    use.merging += merging;
    use.workspace = std::max(use.workspace, workspace);
  }
  return use;
}

std::string memory_shortage(const MemoryUse& use, const Machine& machine) {
  if (use.total() <= machine.node_bytes()) return {};
  return fmt::format("weights {} + workspace {} exceed the {} of a node (Eq. 5)", scheduler::size_text(use.weights),
                     scheduler::size_text(use.workspace), scheduler::size_text(machine.node_bytes()));
}

}  // namespace pimsweep::systems::allspark
