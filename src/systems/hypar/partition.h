#pragma once

#include "systems/hypar/communication.h"
#include "systems/hypar/search/assignment_solver.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Fills `problem` with the cost of every state of every node under `tables`, plus `node_extra` (nodes x states) unless
/// that is empty.
void state_problem(const workload::TrainingNetwork& network, const TensorBytes& bytes, const CostTables& tables,
                   const std::vector<double>& node_extra, search::AssignmentProblem& problem);

/// HyPar's hierarchical partition (Algorithm 2): Algorithm 1 at level H1 on whole tensors, then at each next level on
/// the halved tensors. Algorithm 1 is a shortest path over layers x {dp, mp}. Its line 2 sets the cost of the first
/// layer to zero; it is counted here, because Figure 8 counts it. With branches the minimum is taken over the graph.
class HierarchicalPartition {
 public:
  explicit HierarchicalPartition(const Accounting& accounting = {});
  void run(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
           search::Assignment& assignment);

 private:
  CostTables one_level_;
  search::AssignmentProblem problem_;
  search::AssignmentSolver solver_;
  search::Assignment level_;
};

}  // namespace pimsweep::systems::hypar
