#include <algorithm>
#include <array>
#include <functional>

#include "systems/extensible_list.h"
#include "systems/hypar/partition.h"
#include "systems/hypar/policy.h"

namespace pimsweep::systems::hypar {

namespace {

Choice same_state(const PolicyInput& input, search::State state) {
  return {search::Assignment(input.network.nodes.size(), state), "rule"};
}

Choice choose_data(const PolicyInput& input) { return same_state(input, 0); }

Choice choose_model(const PolicyInput& input) { return same_state(input, search::all_model(input.levels)); }

/// A junction takes the state of the first node that it reads from.
Choice choose_trick(const PolicyInput& input) {
  Choice choice = same_state(input, 0);
  auto transition = input.network.transitions.begin();
  for (std::size_t node = 0; node < choice.assignment.size(); ++node) {
    const auto first = transition;
    while (transition != input.network.transitions.end() && transition->to == node) ++transition;
    switch (input.network.nodes[node].kind) {
      case workload::TrainingNode::Kind::convolution:
        break;
      case workload::TrainingNode::Kind::fully_connected:
        choice.assignment[node] = search::all_model(input.levels);
        break;
      case workload::TrainingNode::Kind::junction:
        if (first != transition) choice.assignment[node] = choice.assignment[first->from];
        break;
    }
  }
  return choice;
}

Choice choose_hypar(const PolicyInput& input) { return {hypar_assignment(input), "best level by level"}; }

/// The search for the minimum objective among the allowed states.
search::AssignmentProblem restricted_problem(const PolicyInput& input) {
  search::AssignmentProblem problem;
  state_problem(input.network, input.bytes, input.tables, input.node_extra, problem);
  if (!input.forbidden.empty()) {
    std::ranges::transform(problem.node_cost, input.forbidden, problem.node_cost.begin(), std::plus<>());
  }
  return problem;
}

Choice choose_exhaustive(const PolicyInput& input) {
  const search::AssignmentProblem problem = restricted_problem(input);
  Choice choice{{}, "best of all", problem.assignments()};
  search::enumerate(problem, choice.assignment);
  return choice;
}

Choice choose_hypar_optimal(const PolicyInput& input) {
  const search::AssignmentProblem problem = restricted_problem(input);
  Choice choice{{}, "proven optimum", problem.assignments()};
  search::AssignmentSolver().solve(problem, choice.assignment);
  return choice;
}

constexpr std::array all_policies{
    Policy{"data", "data parallelism for every layer at every level (baseline, Sec. 2.2)", choose_data},
    Policy{"model", "model parallelism for every layer at every level (baseline, Sec. 2.2)", choose_model},
    Policy{"trick",
           "one weird trick (Krizhevsky 2014): convolutions data parallel, fully connected layers model parallel",
           choose_trick},
    Policy{"hypar", "HyPar: minimum bytes at one level after another, from the top (Algorithms 1 and 2)", choose_hypar,
           require_hypar_assignment},
    Policy{"exhaustive", "every assignment of the layers and levels that axis free names; the rest as HyPar chooses",
           choose_exhaustive, search::require_enumerable},
    Policy{"hypar-optimal", "global optimum over all layers and levels that axis free names; the rest as HyPar chooses",
           choose_hypar_optimal, search::require_solvable},
};

ExtensibleList<Policy>& policy_list() {
  static ExtensibleList<Policy> list(all_policies);
  return list;
}

}  // namespace

std::span<const Policy> policies() { return policy_list().read(); }

void register_policy(const Policy& policy) { policy_list().add(policy); }

void require_hypar_assignment(const search::AssignmentProblem& structure) {
  if (structure.states == 1) return;
  search::AssignmentProblem level = structure;
  level.states = 2;
  search::require_solvable(level);
}

search::Assignment hypar_assignment(const PolicyInput& input) {
  HierarchicalPartition partition(input.bytes.accounting);
  search::Assignment assignment;
  partition.run(input.network, input.bytes, input.levels, assignment);
  return assignment;
}

}  // namespace pimsweep::systems::hypar
