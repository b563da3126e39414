#pragma once

#include <algorithm>
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
/// dimension first, in the shorter direction on the torus. Output port 2d leads up dimension d, 2d+1 down; input port
/// 2d comes from the neighbor above in dimension d, 2d+1 from the one below; ports from node_port() = 2n on are those
/// of the nodes, in both directions.
///
/// H-tree: k^n nodes are the leaves of a k-ary tree of n levels, and the link above k^j leaves is k^j links wide, in
/// each direction (HyPar, Song et al., HPCA 2019, Sec. 6.5.1, with k = 2). Packets climb by the digits of their
/// destination, so lane x of a switch never meets lane y, and a switch above k^j leaves is k^(j-1) routers of k ports
/// down and k up: the k-ary n-tree of Petrini and Vanneschi (IPPS 1997). Router number = level * k^(n-1) + position; at
/// the lowest level position p has nodes p*k to p*k+k-1. Ports 0 to k-1 lead up, node_port() = k and following down.
/// From position w of level l, up port b leads to the position with b in the place of digit l, and down port c of level
/// l+1 to the position with c there. A packet climbs until its destination is below, at level l by its destination's
/// digit l, and then descends by the digits above. Links only wait for links higher up or, during descent, lower down,
/// so there is no cyclic dependency and no deadlock with any number of virtual channels.
class Lattice {
 public:
  Lattice(Topology topology, unsigned radix, unsigned dimensions, unsigned concentration = 1);
  /// A mesh or torus with the given number of places in each dimension; at most max_dimensions dimensions.
  Lattice(Topology topology, const std::vector<unsigned>& radices, unsigned concentration);

  Topology topology() const { return topology_; }
  /// Number of places in a dimension; the first stands for all unless the lattice was given several.
  unsigned radix(unsigned dimension = 0) const { return radices_[dimension]; }
  unsigned dimensions() const { return dimensions_; }
  unsigned concentration() const { return concentration_; }
  unsigned nodes() const { return static_cast<unsigned>(homes_.size()); }
  unsigned routers() const { return static_cast<unsigned>(places_.size()); }
  unsigned ports() const { return ports_; }
  /// The first node port, on routers that have nodes.
  unsigned node_port() const { return node_port_; }
  /// Coordinate of a node; on an H-tree, a digit of its number.
  unsigned coordinate(unsigned node, unsigned dimension) const { return lane(homes_[node], dimension); }
  /// The first node at these coordinates.
  unsigned node(const unsigned* coordinates) const;

  /// Router to which a node is attached.
  unsigned router_of(unsigned node) const { return node / nodes_of_router_; }
  unsigned port_of(unsigned node) const { return exits_[node]; }
  /// The first node of this router or of a later one; nodes() if there is none.
  unsigned first_node(unsigned router) const { return std::min(router, routers_with_nodes_) * nodes_of_router_; }
  /// True if a port leads to a node.
  bool is_node_port(unsigned router, unsigned port) const { return port >= node_port_ && router < routers_with_nodes_; }

  /// The router at the far end of an output port. The router itself for node ports and unconnected ports, at the edge
  /// of a mesh and above the top of a tree.
  unsigned neighbor(unsigned router, unsigned output) const { return neighbors_[router * ports_ + output]; }
  unsigned far_port(unsigned router, unsigned output) const;

  /// Number of routers that a packet passes: distance + 1.
  unsigned hops(unsigned source, unsigned destination) const;

  /// One step of a packet's route. On a torus the virtual channels are split into halves; a packet keeps its half along
  /// a ring.
  struct Step {
    unsigned output;
    bool upper_half;
  };
  /// Route from router `at` to the node `destination`. `input`: the port of arrival; `upper_half`: the half of arrival;
  /// `tie_up`: bit d selects the upward direction in dimension d where both directions are equally long.
  Step route(unsigned at, unsigned destination, unsigned input, bool upper_half, unsigned tie_up) const {
    switch (topology_) {
      case Topology::mesh:
        return routes().route<Topology::mesh>(at, destination, input, upper_half, tie_up);
      case Topology::torus:
        return routes().route<Topology::torus>(at, destination, input, upper_half, tie_up);
      case Topology::h_tree:
        break;
    }
    return routes().route<Topology::h_tree>(at, destination, input, upper_half, tie_up);
  }
  /// Output port from each router (rows) to each node. Only for a mesh, where routes depend on nothing else.
  std::vector<std::uint8_t> route_table() const;
  /// State used by route(), for loops that route many packets: a copy stays in registers.
  class Routes {
   public:
    explicit Routes(const Lattice& lattice)
        : places_(lattice.places_.data()),
          homes_(lattice.homes_.data()),
          exits_(lattice.exits_.data()),
          levels_(lattice.levels_.data()),
          lane_of_bit_(lattice.lane_of_bit_.data()),
          radices_(lattice.radices_.data()),
          lane_bits_(lattice.lane_bits_),
          lane_mask_(lattice.lane_mask_),
          node_port_(lattice.node_port_) {}

    /// Lattice::route(), on a lattice of the given topology.
    template <Topology topology>
    Step route(unsigned at, unsigned destination, unsigned input, bool upper_half, unsigned tie_up) const {
      const std::uint64_t here = places_[at];
      const std::uint64_t there = homes_[destination];
      if constexpr (topology == Topology::h_tree) return {climb(here, there, levels_[at]), false};
      // The lowest remaining dimension; one past the last if there is none.
      const std::uint64_t different = here ^ there;
      const unsigned d = lane_of_bit_[lowest(different | end_of_lanes)];
      const unsigned from = lane(here, d);
      const unsigned to = lane(there, d);
      if constexpr (topology == Topology::mesh) {
        const unsigned onward = 2 * d + (to < from ? 1U : 0U);
        return {different == 0 ? exits_[destination] : onward, false};
      }
      if (different == 0) return {exits_[destination], false};
      // Straight on within a ring.
      if (input / 2 == d && input < node_port_) return {2 * d + (input % 2 == 0 ? 1U : 0U), upper_half};
      const unsigned radix = radices_[d];
      const unsigned up = to > from ? to - from : to + radix - from;
      const bool goes_up = 2 * up == radix ? ((tie_up >> d) & 1) != 0 : 2 * up < radix;
      const bool wraps = goes_up ? to < from : to > from;
      return {2 * d + (goes_up ? 0U : 1U), goes_up == wraps};
    }

   private:
    /// A bit that no coordinate uses.
    static constexpr std::uint64_t end_of_lanes = std::uint64_t{1} << 63;

    unsigned lane(std::uint64_t packed, unsigned dimension) const {
      return static_cast<unsigned>(packed >> (dimension * lane_bits_)) & lane_mask_;
    }
    /// Output port on an H-tree.
    unsigned climb(std::uint64_t position, std::uint64_t destination, unsigned level) const {
      const bool below = position >> (level * lane_bits_) == destination >> ((level + 1) * lane_bits_);
      return lane(destination, level) + (below ? node_port_ : 0);
    }

    const std::uint64_t* places_;
    const std::uint64_t* homes_;
    const std::uint8_t* exits_;
    const std::uint8_t* levels_;
    const std::uint8_t* lane_of_bit_;
    const std::uint32_t* radices_;
    unsigned lane_bits_;
    unsigned lane_mask_;
    unsigned node_port_;
  };
  Routes routes() const { return Routes(*this); }

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
  /// Bits per coordinate of a node, and per coordinate or digit of a router's position: k^n <= 2^14 nodes fit.
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
