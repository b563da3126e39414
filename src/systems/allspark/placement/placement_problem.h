#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/node_array/layout.h"
#include "workload/branch_graph.h"

namespace pimsweep::systems::allspark::placement {

/// A place for one branch: a sub-array of nodes in a temporal layer.
struct Slot {
  std::size_t layer = 0;
  hardware::node_array::SubArray nodes;
};

/// Manhattan distance of the upper left nodes, where a sub-array's data is gathered and scattered: links that data
/// crosses between two places (Sec. VII-B2).
inline std::int64_t distance(const Slot& a, const Slot& b) {
  const std::int64_t rows = a.nodes.row - b.nodes.row;
  const std::int64_t cols = a.nodes.col - b.nodes.col;
  return (rows < 0 ? -rows : rows) + (cols < 0 ? -cols : cols);
}

/// A temporal layer of the schedule: sub-arrays of one size, and how many of them are used.
struct LayerShape {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t branches = 0;
};

/// A branch that exchanges data with another one.
struct Partner {
  std::size_t branch = 0;
  /// In both directions together.
  std::int64_t words = 0;
  /// Edges between the two: 1 or 2.
  std::int64_t dependences = 0;
};

/// Branches with their data exchange, to be bound to the slots of a stage's temporal layers.
struct PlacementProblem {
  workload::BranchGraph transfers;
  /// Layer by layer, each in the order of the structured layout.
  std::vector<Slot> slots;
  /// Index of the first slot of each layer, and at the end the number of slots.
  std::vector<std::size_t> layer_begin;
  /// Branches that each layer takes, all branches in total.
  std::vector<std::int64_t> layer_branches;

  /// The undirected graph, flattened for the searches: the partners of branch i begin at partner_begin[i].
  std::vector<Partner> partners;
  std::vector<std::size_t> partner_begin;

  std::span<const Partner> partners_of(std::size_t branch) const {
    return {partners.data() + partner_begin[branch], partners.data() + partner_begin[branch + 1]};
  }
  std::size_t branches() const { return boost::num_vertices(transfers); }
  std::size_t layers() const { return layer_branches.size(); }
};

/// Lays the sub-arrays of each layer out on rows x cols nodes (Algorithm 1). Throws std::invalid_argument where a layer
/// takes more branches than fit, or the layers do not take all branches of the graph.
PlacementProblem make_problem(const workload::BranchGraph& transfers, const std::vector<LayerShape>& layers,
                              std::int64_t rows, std::int64_t cols);

/// Number of the slot of each branch.
using Binding = std::vector<std::size_t>;

/// Words x links crossed, the objective of placements.
std::int64_t word_hops(const PlacementProblem& problem, const Binding& binding);

/// Links crossed by a word, and by the data of a dependence whatever its size, on average; 0 where nothing is handed
/// over. Branches on the same nodes in different layers are 0 apart.
double hops_of_word(const PlacementProblem& problem, const Binding& binding);
double hops_of_dependence(const PlacementProblem& problem, const Binding& binding);

}  // namespace pimsweep::systems::allspark::placement
