#pragma once

#include <cstdint>
#include <vector>

#include "systems/allspark/memory.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// One temporal layer of a stage, over all its blocks and the whole batch.
struct LayerResult {
  Partition partition;
  std::int64_t capacity = 0;
  std::int64_t branches = 0;
  TimeShares time;

  std::int64_t nodes_occupied() const { return Count{branches} * partition.nodes(); }
};

struct StageResult {
  std::vector<LayerResult> layers;
  TimeShares time;
  /// Eq. (16).
  double node_utilization = 0;
  /// True if a temporal layer works with weights that another one stores.
  bool weights_reused = false;
};

/// Time, memory and traffic of a schedule, from the costs of its partitions.
struct Evaluation {
  std::vector<StageResult> stages;
  TimeShares time;
  /// Eq. (16) over all stages, weighted by time.
  double node_utilization = 0;
  std::int64_t temporal_layers = 0;
  MemoryUse memory;
  /// Words that all active nodes move together.
  WordVolume volume;
};

/// Fills the layers of each stage with branches up to capacity, the largest layer first, and adds up their costs.
Evaluation evaluate(ModelCosts& costs, const std::vector<std::vector<Layers>>& stages, bool weight_reuse);

}  // namespace pimsweep::systems::allspark
