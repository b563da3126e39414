#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "systems/hypar/search/parallelism.h"

namespace pimsweep::systems::hypar::search {

/// Choose one state for each node; the total cost is a sum over nodes and over edges between two nodes. This is the
/// problem behind Algorithm 1 (two states) and behind the search for the global optimum (2^H states).
struct AssignmentProblem {
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    /// The edge costs scale x table[state of from x states + state of to].
    double scale = 0;
    const double* table = nullptr;
  };

  std::size_t nodes = 0;
  std::size_t states = 0;
  /// nodes x states; infinite where a state is not allowed.
  std::vector<double> node_cost;
  /// In order of `to`, which comes after `from`.
  std::vector<Edge> edges;

  double cost(std::size_t node, State state) const { return node_cost[node * states + state]; }
  double total(const Assignment& assignment) const;
  /// Number of allowed assignments.
  double assignments() const;
  /// True if each node has an edge from the one before it and no other.
  bool is_chain() const;
};

/// Throws the PointError of AssignmentSolver::solve(), which depends on nodes, states and edges alone.
void require_solvable(const AssignmentProblem& problem);

/// Throws the PointError of enumerate(), which depends on the number of allowed assignments alone.
void require_enumerable(const AssignmentProblem& problem);

/// Tries every allowed assignment. Among equal ones it takes the first in lexicographic order of the states. Throws
/// PointError if there are more than 2^26.
double enumerate(const AssignmentProblem& problem, Assignment& assignment);

}  // namespace pimsweep::systems::hypar::search
