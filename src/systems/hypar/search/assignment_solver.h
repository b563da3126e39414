#pragma once

#include <vector>

#include "systems/hypar/search/graph_solver.h"

namespace pimsweep::systems::hypar::search {

/// A shortest path through the states of a chain, nodes x states^2 sums. Keeps its memory from call to call.
class ChainSolver {
 public:
  /// Finds the assignment of minimum cost and returns that cost. Among equal ones it takes the one with the smaller
  /// state (more data parallelism) at the last node where they differ.
  double solve(const AssignmentProblem& problem, Assignment& assignment);

 private:
  /// Minimum cost of the chain up to each node in each state: nodes x states.
  std::vector<double> cost_;
  /// With two states: the best state of the previous node for each state of a node.
  std::vector<State> best_of_pair_;
};

/// Finds the assignment of minimum cost. Exact: a shortest path along a chain (nodes x states^2 sums), else elimination
/// of one node after another (nodes x states^(w+1) for a graph of tree width w), which throws PointError where it takes
/// too much memory. A solver keeps its memory, and the order of elimination while the structure stays the same.
///
///     AssignmentSolver solver;
///     Assignment assignment;
///     const double cost = solver.solve(problem, assignment);
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
