#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/torus.h"

namespace pimsweep::hardware::noc {

/// The array of 2^H accelerators of an ExchangeNetwork on virtual-channel routers, whose links carry one flit per
/// cycle.
///
/// H-tree: an accelerator is a leaf, with one link for all its exchanges. Torus: its router has a node port for the
/// packets of each level, so that only the links of the torus are shared; a ring of two has one cable and is used
/// upward only.
class RoutedArray {
 public:
  /// Throw std::invalid_argument for routers that cannot be built and for more than max_levels levels.
  static RoutedArray h_tree(std::size_t levels, const router::RouterSettings& router, unsigned packet_flits);
  static RoutedArray torus(std::size_t levels, TorusRouting routing, TorusMapping mapping,
                           const router::RouterSettings& router, unsigned packet_flits);

  std::size_t levels() const { return levels_; }
  std::uint32_t accelerators() const { return std::uint32_t{1} << levels_; }
  const router::Lattice& lattice() const { return lattice_; }
  const router::RouterSettings& router() const { return router_; }
  unsigned packet_flits() const { return packet_flits_; }

  /// The node through which an accelerator exchanges data at a level, and the node of its counterpart.
  std::uint32_t node(std::uint32_t accelerator, std::size_t level) const {
    return nodes_[accelerator * levels_ + level - 1];
  }
  std::uint32_t counterpart(std::uint32_t accelerator, std::size_t level) const {
    return node(accelerator ^ (std::uint32_t{1} << (levels_ - level)), level);
  }
  /// Direction of a packet around rings where both directions are equally long (Packet::tie_up); the packets of a flow
  /// alternate.
  std::uint32_t ties(std::uint64_t packet) const { return ties_[packet % 2]; }

 private:
  RoutedArray(std::size_t levels, router::Lattice lattice, const router::RouterSettings& router, unsigned packet_flits);

  std::size_t levels_;
  router::Lattice lattice_;
  router::RouterSettings router_;
  unsigned packet_flits_;
  std::vector<std::uint32_t> nodes_;
  std::array<std::uint32_t, 2> ties_{~0U, ~0U};
};

}  // namespace pimsweep::hardware::noc
