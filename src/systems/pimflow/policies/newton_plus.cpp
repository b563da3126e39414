#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy newton_plus_policy() {
  return {"newton+",
          "Newton+: each convolution and fully connected layer whole on GPU or PIM",
          true,
          false,
          false,
          [](const PolicyInput& input) {
            return one_by_one(input, [&](const Node& node) { return faster_device(input.costs, node); });
          }};
}

}  // namespace pimsweep::systems::pimflow
