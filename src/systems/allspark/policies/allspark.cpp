#include "systems/allspark/policies/policies.h"
#include "systems/allspark/policies/solved.h"

namespace pimsweep::systems::allspark {

Policy allspark_policy() {
  return {"allspark", "the optimum of the paper's program (Sec. VI), proven by dynamic programming",
          [](ModelCosts& costs, const PolicyOptions& options) {
            require_weight_reuse(options, "allspark");
            Decision decision = decision_from(scheduler::solve_exact(costs.problem()), costs.problem());
            decision.solver = "exact, optimal";
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
