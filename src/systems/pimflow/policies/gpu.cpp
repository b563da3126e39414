#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy gpu_policy() {
  return {"gpu",
          "Baseline: everything on the GPU, which has all memory channels",
          false,
          false,
          false,
          [](const PolicyInput& input) {
            return one_by_one(input, [&](const Node& node) { return on_gpu(input.costs, node); });
          }};
}

}  // namespace pimsweep::systems::pimflow
