#include <stdexcept>

#include "systems/allspark/operator_run.h"
#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy operators_policy() {
  return {operators_policy_name,
          "any operator graph, operator after operator: positions and channels spread over sub-arrays, images side by "
          "side (docs/crossover.md)",
          [](ModelCosts&, const PolicyOptions&) -> Decision {
            throw std::logic_error("policy operators works on operator graphs, not on stages and branches");
          }};
}

}  // namespace pimsweep::systems::allspark
