#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy pimflow_pl_policy() {
  return {"pimflow-pl",
          "PIMFlow-pl: Newton++ with pipelines of 1x1 and depthwise convolutions",
          true,
          true,
          false,
          [](const PolicyInput& input) {
            return with_pipelines(
                input, [&](const Node& node) { return faster_device(input.costs, node); }, input.stages, input.stages,
                Order::topological);
          }};
}

}  // namespace pimsweep::systems::pimflow
