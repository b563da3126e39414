#include "systems/hypar/partition.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::hypar {

void state_problem(const workload::TrainingNetwork& network, const TensorBytes& bytes, const CostTables& tables,
                   const std::vector<double>& node_extra, search::AssignmentProblem& problem) {
  const std::size_t states = search::state_count(tables.levels);
  problem.nodes = network.nodes.size();
  problem.states = states;
  problem.node_cost.resize(problem.nodes * states);
  for (std::size_t node = 0; node < problem.nodes; ++node) {
    for (std::size_t state = 0; state < states; ++state) {
      problem.node_cost[node * states + state] =
          bytes.gradient[node] * tables.gradient[state] + bytes.features[node] * tables.features[state];
    }
  }
  if (!node_extra.empty()) {
    std::transform(problem.node_cost.begin(), problem.node_cost.end(), node_extra.begin(), problem.node_cost.begin(),
                   std::plus<>());
  }
  problem.edges.clear();
  for (std::size_t t = 0; t < network.transitions.size(); ++t) {
    const workload::Transition& transition = network.transitions[t];
    problem.edges.push_back({transition.from, transition.to, bytes.transition[t],
                             tables.conversion(source_of(network.nodes[transition.from]))});
  }
}

HierarchicalPartition::HierarchicalPartition(const Accounting& accounting) : one_level_(1, {1.0}, accounting) {}

void HierarchicalPartition::run(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
                                search::Assignment& assignment) {
  assignment.assign(network.nodes.size(), 0);
  if (levels == 0) return;
  state_problem(network, bytes, one_level_, {}, problem_);
  for (int level = 1;; ++level) {
    solver_.solve(problem_, level_);
    for (std::size_t node = 0; node < assignment.size(); ++node) assignment[node] |= level_[node] << (level - 1);
    if (level == levels) return;
    // Tensors that this level has split are half as large at the next: F by dp, dW by mp, and a tensor in transition
    // as ConversionShape says.
    for (std::size_t node = 0; node < assignment.size(); ++node) {
      problem_.node_cost[2 * node + (level_[node] != 0 ? 0 : 1)] *= 0.5;
    }
    for (search::AssignmentProblem::Edge& edge : problem_.edges) {
      if (bytes.accounting.conversion_shape == ConversionShape::target) {
        edge.scale *= 0.5;
        continue;
      }
      if (level_[edge.from] == 0) edge.scale *= 0.5;
      if (level_[edge.to] != 0) edge.scale *= 0.5;
    }
  }
}

}  // namespace pimsweep::systems::hypar
