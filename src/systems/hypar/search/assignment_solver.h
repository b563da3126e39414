#pragma once

#include "systems/hypar/search/chain_solver.h"
#include "systems/hypar/search/graph_solver.h"

namespace pimsweep::systems::hypar::search {

/// Finds the assignment of least cost. Exact: a shortest path along a chain (nodes x states^2 sums), else elimination
/// of one node after another (nodes x states^(w+1) for a graph of tree width w), which throws PointError where it needs
/// too much memory. A solver keeps its memory, and the order of elimination while the structure stays the same.
class AssignmentSolver {
 public:
  double solve(const AssignmentProblem& problem, Assignment& assignment) {
    return problem.is_chain() ? chain_.solve(problem, assignment) : graph_.solve(problem, assignment);
  }

 private:
  ChainSolver chain_;
  GraphSolver graph_;
};

}  // namespace pimsweep::systems::hypar::search
