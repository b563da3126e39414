#include "systems/hypar/policies/policies.h"
#include "systems/hypar/policies/restricted.h"

namespace pimsweep::systems::hypar {

Policy hypar_optimal_policy() {
  return {"hypar-optimal",
          "the global optimum over all layers and levels at once (of what `free` names; the rest as HyPar chooses)",
          [](const PolicyInput& input) {
            const search::AssignmentProblem problem = restricted_problem(input);
            Choice choice;
            search::AssignmentSolver().solve(problem, choice.assignment);
            choice.found_by = "proven optimum";
            choice.search_space = problem.assignments();
            return choice;
          }};
}

}  // namespace pimsweep::systems::hypar
