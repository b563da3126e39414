#include "systems/allspark/policies/fixed.h"
#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy patch_policy() {
  return {"patch", "each branch split by patches alone (baseline P, Sec. VIII-A)",
          [](ModelCosts& costs, const PolicyOptions& options) {
            return decide_fixed(costs, options, FixedSplit::patches);
          }};
}

}  // namespace pimsweep::systems::allspark
