#include "systems/allspark/policies/fixed.h"
#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy branch_policy() {
  return {
      "branch", "one branch on one node (baseline B, Sec. III-C)",
      [](ModelCosts& costs, const PolicyOptions& options) { return decide_fixed(costs, options, FixedSplit::none); }};
}

}  // namespace pimsweep::systems::allspark
