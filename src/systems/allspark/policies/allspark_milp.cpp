#include "systems/allspark/policies/policies.h"
#include "systems/allspark/policies/solved.h"

namespace pimsweep::systems::allspark {

Policy allspark_milp_policy() {
  return {"allspark-milp", "the same optimum from a compact mixed-integer program, solved by CBC",
          [](ModelCosts& costs, const PolicyOptions& options) {
            require_weight_reuse(options, "allspark-milp");
            Decision decision = decision_from(scheduler::solve_compact_milp(costs.problem()), costs.problem());
            decision.solver = "CBC, compact program, optimal";
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
