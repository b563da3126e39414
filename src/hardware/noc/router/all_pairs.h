#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"

namespace pimsweep::hardware::noc::router {

/// Packets at the routers of a lattice if every node sends one packet to every node, including itself: whole numbers,
/// counted by symmetry. The part of a route in one dimension depends only on the two coordinates in it, so lines of
/// places along a dimension are counted instead of routes; on an H-tree all routers of a level are equivalent.
/// `tie_up`: see Lattice::route, for all packets.
class AllPairs {
 public:
  AllPairs(const Lattice& lattice, unsigned tie_up);

  /// Packets that arrive at an input and leave by an output.
  double turn(unsigned router, unsigned input, unsigned output) const;
  /// Packets that leave by an output in the lower or upper half of its channels.
  double half(unsigned router, unsigned output, bool upper) const;

 private:
  /// Counts at one place of a dimension, over pairs of different places: routes that begin or pass there, by direction
  /// and half in which they continue, and routes that end there, by the direction from which they come. Index: 2 x
  /// direction (0: up, 1: down) + half; and direction.
  struct Place {
    std::array<double, 4> begin{};
    std::array<double, 4> pass{};
    std::array<double, 2> end{};
  };
  struct Dimension {
    std::vector<Place> places;
    /// Nodes with the same coordinates from this dimension on, and up to it.
    double nodes_before = 0;
    double nodes_behind = 0;
  };

  static std::vector<Place> count_line(Topology topology, unsigned radix, unsigned tie_up);
  const Place& place(unsigned router, unsigned dimension) const {
    return dimensions_[dimension].places[lattice_.coordinate(lattice_.first_node(router), dimension)];
  }
  double turn_on_tree(unsigned router, unsigned input, unsigned output) const;

  const Lattice& lattice_;
  /// Empty on an H-tree.
  std::vector<Dimension> dimensions_;
  /// On an H-tree, by level, with one element more than there are levels: nodes whose packets climb to a router of the
  /// level through a given lower input.
  std::vector<double> sources_;
};

}  // namespace pimsweep::hardware::noc::router
