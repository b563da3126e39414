#include "systems/hypar/policies/policies.h"
#include "systems/hypar/policies/restricted.h"

namespace pimsweep::systems::hypar {

Policy exhaustive_policy() {
  return {"exhaustive", "every assignment of what `free` names, one after another; the rest as HyPar chooses",
          [](const PolicyInput& input) {
            const search::AssignmentProblem problem = restricted_problem(input);
            Choice choice;
            search::enumerate(problem, choice.assignment);
            choice.found_by = "best of all";
            choice.search_space = problem.assignments();
            return choice;
          }};
}

}  // namespace pimsweep::systems::hypar
