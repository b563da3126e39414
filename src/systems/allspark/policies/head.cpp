#include "systems/allspark/policies/fixed.h"
#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy head_policy() {
  return {
      "head", "each branch split by attention heads alone (baseline AH, Sec. VIII-A)",
      [](ModelCosts& costs, const PolicyOptions& options) { return decide_fixed(costs, options, FixedSplit::heads); }};
}

}  // namespace pimsweep::systems::allspark
