#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy pimflow_policy() {
  return {"pimflow",
          "PIMFlow: splits and pipelines, chosen by Algorithm 1",
          true,
          true,
          true,
          [](const PolicyInput& input) {
            return with_pipelines(
                input, [&](const Node& node) { return best_share(input.costs, node, input.split_interval); },
                input.stages, input.stages, Order::topological);
          }};
}

}  // namespace pimsweep::systems::pimflow
