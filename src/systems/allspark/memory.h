#pragma once

#include <cstdint>
#include <vector>

#include "systems/allspark/model_costs.h"
#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Memory that a schedule takes on each node, in bytes.
struct MemoryUse {
  /// For each stage, all its blocks.
  std::vector<std::int64_t> stage_weights;
  std::vector<std::int64_t> stage_workspace;
  Count weights = 0;
  std::int64_t workspace = 0;
  /// Weights of patch merging, which Eq. (5) as printed does not count.
  Count merging = 0;

  /// The left side of Eq. (5).
  std::int64_t total() const { return weights + workspace; }
};

/// Eq. (5)-(11). With weight reuse a stage stores the weights of its 1 x 1 layers alone if it has any, else once for
/// each partition; without it each temporal layer has its own.
MemoryUse memory_use(ModelCosts& costs, const std::vector<std::vector<Layers>>& stages, bool weight_reuse);

/// "weights A + workspace B exceed the node's C"; empty if they fit.
std::string memory_shortage(const MemoryUse& use, const Machine& machine);

}  // namespace pimsweep::systems::allspark
