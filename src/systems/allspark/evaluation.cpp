#include "systems/allspark/evaluation.h"

#include <algorithm>

namespace pimsweep::systems::allspark {

namespace {

StageResult evaluate_stage(ModelCosts& costs, std::size_t s, const std::vector<Layers>& groups, double& node_cycles,
                           WordVolume& volume) {
  StageResult result;
  std::int64_t left = branch_count(costs.stage(s));
  double occupied = 0;
  for (const Layers& group : groups) {
    const PartitionCost& cost = costs.cost(s, group.partition);
    for (std::int64_t i = 0; i < group.layers; ++i) {
      const LayerResult layer{group.partition, cost.capacity, std::min(left, cost.capacity), cost.time};
      left -= layer.branches;
      result.time += layer.time;
      volume += layer.nodes_occupied() * cost.volume;
      occupied += static_cast<double>(layer.nodes_occupied()) * static_cast<double>(layer.time.total());
      result.layers.push_back(layer);
    }
    result.weights_reused =
        result.weights_reused || group.layers > 1 || (group.partition.nodes() == 1 && groups.size() > 1);
  }
  const double available = static_cast<double>(costs.machine().nodes()) * static_cast<double>(result.time.total());
  result.node_utilization = occupied / available;
  node_cycles += occupied;
  return result;
}

}  // namespace

Evaluation evaluate(ModelCosts& costs, const std::vector<std::vector<Layers>>& stages, bool weight_reuse) {
  Evaluation evaluation;
  double node_cycles = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    StageResult& stage =
        evaluation.stages.emplace_back(evaluate_stage(costs, s, stages[s], node_cycles, evaluation.volume));
    stage.weights_reused = stage.weights_reused && weight_reuse;
    evaluation.time += stage.time;
    evaluation.temporal_layers += static_cast<std::int64_t>(stage.layers.size());
  }
  evaluation.node_utilization =
      node_cycles / (static_cast<double>(costs.machine().nodes()) * static_cast<double>(evaluation.time.total()));
  evaluation.memory = memory_use(costs, stages, weight_reuse);
  return evaluation;
}

}  // namespace pimsweep::systems::allspark
