#pragma once

#include <vector>

#include "systems/hypar/search/assignment_problem.h"

namespace pimsweep::systems::hypar::search {

/// A shortest path through the states of a chain, nodes x states^2 sums. Keeps its memory from call to call.
class ChainSolver {
 public:
  /// Finds the assignment of least cost and returns that cost. Among equal ones it takes the one with the smaller state
  /// (more data parallelism) at the last node where they differ.
  double solve(const AssignmentProblem& problem, Assignment& assignment);

 private:
  /// Least cost of the chain up to each node in each state: nodes x states.
  std::vector<double> cost_;
  /// With two states: the best state before each node's.
  std::vector<State> best_of_pair_;
};

}  // namespace pimsweep::systems::hypar::search
