#pragma once

#include "systems/hypar/communication.h"
#include "systems/hypar/search/assignment_problem.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Fills `problem` with the cost of every state of every node under `tables`; `node_extra` (nodes x states, or empty)
/// is added to the nodes' costs.
void state_problem(const workload::TrainingNetwork& network, const TensorBytes& bytes, const CostTables& tables,
                   const std::vector<double>& node_extra, search::AssignmentProblem& problem);

/// HyPar's hierarchical partition (Algorithm 2): level H1 by Algorithm 1 on whole tensors, then the next on what is
/// left of them. Algorithm 1 is a shortest path over layers x {dp, mp}; its line 2 sets the first layer's cost to zero,
/// but Figure 8 counts it, so it is counted here. With branches Algorithm 1 becomes the same minimum over the graph.
class HierarchicalPartition {
 public:
  explicit HierarchicalPartition(Task task = Task::training);
  void run(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
           search::Assignment& assignment);

 private:
  CostTables one_level_;
  search::AssignmentProblem problem_;
  search::AssignmentSolver solver_;
  search::Assignment level_;
};

}  // namespace pimsweep::systems::hypar
