#include "systems/hypar/policies/policies.h"

namespace pimsweep::systems::hypar {

Policy model_policy() {
  return {"model", "Model Parallelism: every layer at every level (baseline, Sec. 2.2)", [](const PolicyInput& input) {
            return Choice{search::Assignment(input.network.nodes.size(), search::all_model(input.levels)), "rule"};
          }};
}

}  // namespace pimsweep::systems::hypar
