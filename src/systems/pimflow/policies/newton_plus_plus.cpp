#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy newton_plus_plus_policy() {
  return {
      "newton++", "Newton++: Newton+ with PIM's commands optimised", true, true, false, [](const PolicyInput& input) {
        return one_by_one(input, [&](const Node& node) { return faster_device(input.costs, node); });
      }};
}

}  // namespace pimsweep::systems::pimflow
