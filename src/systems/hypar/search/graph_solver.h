#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "systems/hypar/search/assignment_problem.h"

namespace pimsweep::systems::hypar::search {

/// Min-sum elimination (non-serial dynamic programming) for graphs of any shape: a node is minimized out of the costs
/// that mention it, which leaves one table over its neighbors; the last table is the optimum, from which the states are
/// read backward.
///
///     GraphSolver solver;
///     Assignment assignment;
///     const double cost = solver.solve(problem, assignment);
///
/// The plan of a structure (order, places of tables, strides) depends on its edges and number of states alone. It is
/// kept, with all memory, for the next problem of the same structure: only costs are read again. Time and memory grow
/// as states^(w+1) for a graph of tree width w, so that densely connected graphs are refused.
class GraphSolver {
 public:
  /// Finds an assignment of minimum cost and returns that cost. Throws PointError where it needs too much memory.
  double solve(const AssignmentProblem& problem, Assignment& assignment);

 private:
  /// Costs that a step adds up, besides its node's own: those of an edge, or a table that an earlier step has left.
  struct View {
    enum class Kind : std::uint8_t { edge, table };
    Kind kind = Kind::edge;
    std::size_t source = 0;  ///< number of the edge, or the table's place
    std::size_t own_stride = 0;
    std::size_t first_stride = 0;  ///< of a stride for each neighbor
  };

  /// Eliminates one node. Its table and its node's best states have an entry for each combination of its neighbors'
  /// states, the last neighbor's changing fastest.
  struct Step {
    std::size_t node = 0;
    std::size_t first_neighbor = 0, neighbors = 0;
    std::size_t first_view = 0, views = 0;
    std::size_t combinations = 0;
    std::size_t table = 0, best = 0;
  };

  /// A view's costs at one combination of the neighbors' states.
  struct Cursor {
    const double* cost = nullptr;
    double scale = 1;
    std::size_t own_stride = 0;
    const std::size_t* stride = nullptr;
  };

  struct Best {
    double cost = 0;
    State state = 0;
  };

  class Planner;

  bool has_structure_of(const AssignmentProblem& problem) const;
  void plan(const AssignmentProblem& problem);
  void eliminate(const AssignmentProblem& problem, const Step& step);
  Best best_of_two() const;
  Best best_of_all();
  void advance(std::size_t neighbors);

  std::size_t nodes_ = 0, states_ = 0;
  std::vector<std::size_t> ends_;  ///< of the edges: from, to
  std::vector<Step> steps_;
  std::vector<View> views_;
  std::vector<std::size_t> neighbors_, strides_;
  std::vector<double> tables_;
  std::vector<State> best_;
  // State of the current step.
  std::vector<Cursor> cursors_;
  std::vector<std::size_t> state_of_;
  std::vector<double> sums_;
};

}  // namespace pimsweep::systems::hypar::search
