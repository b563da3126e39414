#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"

namespace pimsweep::hardware::noc::router {

/// Packets at the routers of a lattice if every node sends one to every node, itself included: whole numbers, counted
/// by symmetry. A dimension's part of a route depends on nothing but the two coordinates in it, so that lines of places
/// along one dimension are counted instead of routes; on an H-tree all routers of a level are alike. `tie_up`: see
/// Lattice::route, for all packets.
class AllPairs {
 public:
  AllPairs(const Lattice& lattice, unsigned tie_up);

  /// Those that come by an input and leave by an output.
  double turn(unsigned router, unsigned input, unsigned output) const;
  /// Those that leave by an output in the lower or upper half of its channels.
  double half(unsigned router, unsigned output, bool upper) const;

 private:
  /// Pairs of different places of one dimension, by the place at which they are: those that begin or pass there, by
  /// the direction and half in which they go on, and those that end there, by the direction from which they come.
  /// Index: 2 x direction (0: up, 1: down) + half; and direction.
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
  /// None on an H-tree.
  std::vector<Dimension> dimensions_;
  /// On an H-tree, by level: nodes from which packets climb to one of its routers by one of its lower inputs. One more
  /// than there are levels.
  std::vector<double> sources_;
};

}  // namespace pimsweep::hardware::noc::router
