#include <fmt/format.h>

#include "base/error.h"
#include "systems/allspark/policies/policies.h"
#include "systems/allspark/policies/solved.h"

namespace pimsweep::systems::allspark {

Policy allspark_ilp_policy() {
  return {"allspark-ilp", "the paper's own binary program (Eq. 1-15), solved by CBC within ilp_time_limit",
          [](ModelCosts& costs, const PolicyOptions& options) {
            require_weight_reuse(options, "allspark-ilp");
            const scheduler::IlpResult result = scheduler::solve_paper_ilp(costs.problem(), options.ilp_time_limit);
            if (!result.closed && !result.schedule.feasible) {
              throw PointError(
                  fmt::format("CBC found no schedule within {} s ({} binaries, {} constraints); raise "
                              "ilp_time_limit or use policy allspark",
                              options.ilp_time_limit, result.binaries, result.constraints));
            }
            Decision decision = decision_from(result.schedule, costs.problem());
            decision.solver = fmt::format("CBC, {} binaries, {} constraints, {}", result.binaries, result.constraints,
                                          result.closed ? "optimal" : "stopped by the time limit");
            if (!result.closed)
              decision.caveat =
                  "the time limit ended the search: not proven optimal, and it may differ from run to run";
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
