#include "systems/hypar/policies/policies.h"
#include "systems/hypar/policies/restricted.h"

namespace pimsweep::hypar {

Policy exhaustive_policy() {
  return {"exhaustive", "every assignment of what `free` names, one after another; the rest as HyPar chooses",
          [](const PolicyInput& input) {
            const AssignmentProblem problem = restricted_problem(input);
            Choice choice;
            enumerate(problem, choice.assignment);
            choice.found_by = "best of all";
            choice.search_space = problem.assignments();
            return choice;
          }};
}

}  // namespace pimsweep::hypar
