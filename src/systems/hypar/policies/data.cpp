#include "systems/hypar/policies/policies.h"

namespace pimsweep::hypar {

Policy data_policy() {
  return {"data", "Data Parallelism: every layer at every level (baseline, Sec. 2.2)", [](const PolicyInput& input) {
            return Choice{Assignment(input.network.nodes.size(), State{0}), "rule"};
          }};
}

}  // namespace pimsweep::hypar
