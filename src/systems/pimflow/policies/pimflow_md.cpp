#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy pimflow_md_policy() {
  return {"pimflow-md",
          "PIMFlow-md: Newton++ with layers split over GPU and PIM at an interval (MD-DP)",
          true,
          true,
          true,
          [](const PolicyInput& input) {
            return one_by_one(input,
                              [&](const Node& node) { return best_share(input.costs, node, input.split_interval); });
          }};
}

}  // namespace pimsweep::systems::pimflow
