#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "systems/hypar/search/assignment_problem.h"

namespace pimsweep::systems::hypar::search {

/// The order in which elimination takes the nodes of a problem, which depends on its edges alone.
class EliminationOrder {
 public:
  /// The node with the fewest neighbors goes first, of equal ones the one with the smallest number. Its neighbors are
  /// neighbors of each other from then on.
  explicit EliminationOrder(const AssignmentProblem& problem);

  std::size_t steps() const { return nodes_.size(); }
  std::size_t node(std::size_t step) const { return nodes_[step]; }
  /// Nodes that share a factor with the node when it is eliminated, in ascending order.
  std::span<const std::size_t> neighbors(std::size_t step) const {
    return std::span(neighbors_).subspan(first_[step], first_[step + 1] - first_[step]);
  }

  /// Throws PointError where a step over so many states would take too many sums.
  void require_few_sums(std::size_t states) const;

 private:
  std::vector<std::size_t> nodes_;
  /// Neighbors of step s are those from first_[s] to first_[s + 1].
  std::vector<std::size_t> neighbors_, first_;
};

}  // namespace pimsweep::systems::hypar::search
