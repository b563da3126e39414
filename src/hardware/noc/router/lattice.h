#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/bits.h"

namespace pimsweep::hardware::noc::router {

enum class Topology : std::uint8_t { mesh, torus, h_tree };

inline constexpr unsigned max_dimensions = 12;

/// A network of k^n places, and the routes of packets through it.
///
/// Mesh, torus: a router at each place with `concentration` nodes; node number = router x concentration + 0, 1 ..,
/// router number = sum of coordinate[d] * k^d; dimensions may differ in length. Dimension-order routing, lowest
/// dimension first, on the torus the shorter way round. Output port 2d leads up dimension d, 2d+1 down; input port 2d
/// comes from the neighbor above in dimension d, 2d+1 from the one below; ports from node_port() = 2n on are those of
/// the nodes, both ways.
///
/// H-tree: k^n nodes are the leaves of a k-ary tree of n levels, and the link above k^j leaves is k^j links wide, in
/// each direction (HyPar, Song et al., HPCA 2019, Sec. 6.5.1, with k = 2). Lane x of a switch never meets lane y, as
/// packets climb by their destination's digits; so a switch above k^j leaves is k^(j-1) routers of k ports down and k
/// up, the k-ary n-tree of Petrini and Vanneschi (IPPS 1997). Router number = level * k^(n-1) + position; at the lowest
/// level position p has nodes p*k .. p*k+k-1. Ports 0 .. k-1 lead up, node_port() = k and following down. From position
/// w of level l, up port b leads to the position with b in the place of digit l, and down port c of level l+1 to the
/// one with c there. A packet climbs until its destination is below, at level l by its destination's digit l, and then
/// descends by the digits above. Links only ever wait for links higher up, or, once it descends, lower down: no circle,
/// so no deadlock with any number of virtual channels.
class Lattice {
 public:
  Lattice(Topology topology, unsigned radix, unsigned dimensions, unsigned concentration = 1);
  /// A mesh or torus with the given number of places in each dimension; at most max_dimensions dimensions.
  Lattice(Topology topology, const std::vector<unsigned>& radices, unsigned concentration);

  Topology topology() const { return topology_; }
  /// Places in a dimension; the first one stands for all unless the lattice was given several.
  unsigned radix(unsigned dimension = 0) const { return radices_[dimension]; }
  unsigned dimensions() const { return dimensions_; }
  unsigned concentration() const { return concentration_; }
  unsigned nodes() const { return static_cast<unsigned>(homes_.size()); }
  unsigned routers() const { return static_cast<unsigned>(places_.size()); }
  unsigned ports() const { return ports_; }
  /// The first port of a node, on routers that have nodes.
  unsigned node_port() const { return node_port_; }
  /// Coordinate of a node: on an H-tree a digit of its number.
  unsigned coordinate(unsigned node, unsigned dimension) const { return lane(homes_[node], dimension); }
  /// The first node at these coordinates.
  unsigned node(const unsigned* coordinates) const;

  /// Router to which a node is attached.
  unsigned router_of(unsigned node) const { return node / nodes_of_router_; }
  unsigned port_of(unsigned node) const { return exits_[node]; }
  /// Whether a port leads to a node.
  bool is_node_port(unsigned router, unsigned port) const { return port >= node_port_ && router < routers_with_nodes_; }

  /// The router behind an output port, and the input port at which packets arrive there; the router itself for a node's
  /// port and where nothing is attached, at the edge of a mesh and above the top of a tree.
  unsigned neighbor(unsigned router, unsigned output) const { return neighbors_[router * ports_ + output]; }
  unsigned far_port(unsigned router, unsigned output) const;

  /// Routers that a packet passes: distance + 1.
  unsigned hops(unsigned source, unsigned destination) const;

  /// One step of a packet's route. On a torus virtual channels are split into halves; a packet keeps its half all along
  /// a ring.
  struct Step {
    unsigned output;
    bool upper_half;
  };
  /// From router `at` to the node `destination`. `input`: the port at which it arrived; `upper_half`: the half in which
  /// it arrived; `tie_up`: bit d tells whether it goes up dimension d where both ways are equally long.
  Step route(unsigned at, unsigned destination, unsigned input, bool upper_half, unsigned tie_up) const {
    const std::uint64_t here = places_[at];
    const std::uint64_t there = homes_[destination];
    if (topology_ == Topology::h_tree) return {climb(here, there, levels_[at]), false};
    if (here == there) return {exits_[destination], false};
    // The lowest remaining dimension.
    const unsigned d = lane_of_bit_[lowest(here ^ there)];
    const unsigned from = lane(here, d);
    const unsigned to = lane(there, d);
    if (topology_ == Topology::mesh) return {2 * d + (to < from ? 1U : 0U), false};
    // Within a ring: straight on.
    if (input / 2 == d && input < node_port_) return {2 * d + (input % 2 == 0 ? 1U : 0U), upper_half};
    const unsigned radix = radices_[d];
    const unsigned up = to > from ? to - from : to + radix - from;
    const bool goes_up = 2 * up == radix ? ((tie_up >> d) & 1) != 0 : 2 * up < radix;
    const bool wraps = goes_up ? to < from : to > from;
    return {2 * d + (goes_up ? 0U : 1U), goes_up == wraps};
  }

  /// Calls visit(router, input, step) for each router on the route from one node to another.
  template <typename Visit>
  void walk(unsigned source, unsigned destination, unsigned tie_up, Visit visit) const {
    unsigned at = router_of(source);
    unsigned input = port_of(source);
    bool upper_half = false;
    while (true) {
      const Step step = route(at, destination, input, upper_half, tie_up);
      visit(at, input, step);
      if (is_node_port(at, step.output)) return;
      input = far_port(at, step.output);
      at = neighbor(at, step.output);
      upper_half = step.upper_half;
    }
  }

 private:
  unsigned lane(std::uint64_t packed, unsigned dimension) const {
    return static_cast<unsigned>(packed >> (dimension * lane_bits_)) & lane_mask_;
  }
  std::uint64_t pack(unsigned number, unsigned digits) const;
  /// Output port on an H-tree.
  unsigned climb(std::uint64_t position, std::uint64_t destination, unsigned level) const {
    const bool below = position >> (level * lane_bits_) == destination >> ((level + 1) * lane_bits_);
    return lane(destination, level) + (below ? node_port_ : 0);
  }
  void join_lattice(unsigned routers);
  void join_tree();

  Topology topology_;
  std::array<std::uint32_t, max_dimensions> radices_{};
  unsigned dimensions_;
  unsigned concentration_;
  unsigned nodes_of_router_;
  unsigned node_port_;
  unsigned ports_;
  unsigned routers_with_nodes_;
  /// Bits for each coordinate of a node, and each coordinate or digit of a router's position: k^n <= 2^12 nodes fit.
  unsigned lane_bits_;
  unsigned lane_mask_;
  std::vector<std::uint64_t> homes_;
  std::vector<std::uint64_t> places_;
  /// Levels of the routers of an H-tree.
  std::vector<std::uint8_t> levels_;
  /// Output port to each node.
  std::vector<std::uint8_t> exits_;
  std::array<std::uint8_t, 64> lane_of_bit_{};
  std::vector<std::uint32_t> neighbors_;
};

}  // namespace pimsweep::hardware::noc::router
