#include <fmt/format.h>

#include "systems/hypar/policies/policies.h"
#include "systems/hypar/policies/restricted.h"

namespace pimsweep::hypar {

Policy hypar_optimal_policy() {
  return {"hypar-optimal",
          "the global optimum over all layers and levels at once (of what `free` names; the rest as HyPar chooses)",
          [](const PolicyInput& input) {
            Choice choice;
            AssignmentSolver solver;
            solver.solve(restricted_problem(input), choice.assignment);
            choice.found_by = "proven optimum";
            return choice;
          }};
}

}  // namespace pimsweep::hypar
