#include "systems/hypar/policies/policies.h"

namespace pimsweep::systems::hypar {

Policy data_policy() {
  return {"data", "Data Parallelism: every layer at every level (baseline, Sec. 2.2)", [](const PolicyInput& input) {
            return Choice{search::Assignment(input.network.nodes.size(), search::State{0}), "rule"};
          }};
}

}  // namespace pimsweep::systems::hypar
