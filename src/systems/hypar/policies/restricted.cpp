#include "systems/hypar/policies/restricted.h"

#include <algorithm>
#include <functional>

#include "systems/hypar/partition.h"

namespace pimsweep::systems::hypar {

search::AssignmentProblem restricted_problem(const PolicyInput& input) {
  search::AssignmentProblem problem;
  state_problem(input.network, input.bytes, input.tables, input.node_extra, problem);
  if (!input.forbidden.empty()) {
    std::transform(problem.node_cost.begin(), problem.node_cost.end(), input.forbidden.begin(),
                   problem.node_cost.begin(), std::plus<>());
  }
  return problem;
}

}  // namespace pimsweep::systems::hypar
