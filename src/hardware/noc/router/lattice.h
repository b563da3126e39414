#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/bits.h"

namespace pimsweep::noc {

enum class Topology : std::uint8_t { mesh, torus };

/// A k-ary n-dimensional mesh or torus with one node at each router, and its dimension-order routing (lowest dimension
/// first, on the torus the shorter way round).
///
/// Node number = sum of coordinate[d] * k^d. Output port 2d leads up dimension d, 2d+1 down, 2n to the node. Input port
/// 2d comes from the neighbour above in dimension d, 2d+1 from the one below, 2n from the node.
class Lattice {
 public:
  Lattice(Topology topology, unsigned radix, unsigned dimensions);

  Topology topology() const { return topology_; }
  unsigned radix() const { return radix_; }
  unsigned dimensions() const { return dimensions_; }
  unsigned nodes() const { return nodes_; }
  unsigned ports() const { return 2 * dimensions_ + 1; }
  unsigned node_port() const { return 2 * dimensions_; }
  unsigned coordinate(unsigned node, unsigned dimension) const { return lane(packed_[node], dimension); }
  unsigned node(const unsigned* coordinates) const;

  /// The router behind an output port other than the node's; the router itself at the edge of a mesh.
  unsigned neighbour(unsigned node, unsigned output) const { return neighbours_[node * 2 * dimensions_ + output]; }

  /// Routers that a packet passes: distance + 1.
  unsigned hops(unsigned source, unsigned destination) const;

  /// One step of a packet's way. On a torus virtual channels are halved; a packet keeps its half all along a ring.
  struct Step {
    unsigned output;
    bool upper_half;
  };
  /// `input`: the port it came by; `upper_half`: the half it came in; `tie_up`: bit d tells whether it goes up
  /// dimension d where both ways are equally long.
  Step route(unsigned at, unsigned destination, unsigned input, bool upper_half, unsigned tie_up) const {
    const std::uint64_t here = packed_[at];
    const std::uint64_t there = packed_[destination];
    if (here == there) return {node_port(), false};
    // The lowest dimension that is left.
    const unsigned d = lane_of_bit_[lowest(here ^ there)];
    const unsigned from = lane(here, d);
    const unsigned to = lane(there, d);
    if (topology_ == Topology::mesh) return {2 * d + (to < from ? 1U : 0U), false};
    // Within a ring: straight on.
    if (input / 2 == d && input < node_port()) return {2 * d + (input % 2 == 0 ? 1U : 0U), upper_half};
    const unsigned up = to > from ? to - from : to + radix_ - from;
    const bool goes_up = 2 * up == radix_ ? ((tie_up >> d) & 1) != 0 : 2 * up < radix_;
    const bool wraps = goes_up ? to < from : to > from;
    return {2 * d + (goes_up ? 0U : 1U), goes_up == wraps};
  }

 private:
  unsigned lane(std::uint64_t packed, unsigned dimension) const {
    return static_cast<unsigned>(packed >> (dimension * lane_bits_)) & lane_mask_;
  }

  Topology topology_;
  unsigned radix_;
  unsigned dimensions_;
  unsigned nodes_;
  /// Each node's coordinates, so many bits for each: k^n <= 2^12 nodes fit.
  unsigned lane_bits_;
  unsigned lane_mask_;
  std::vector<std::uint64_t> packed_;
  std::array<std::uint8_t, 64> lane_of_bit_{};
  std::vector<std::uint32_t> neighbours_;
};

}  // namespace pimsweep::noc
