#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/noc/router/lattice.h"

namespace pimsweep::hardware::noc::router {

enum class Allocator : std::uint8_t { islip, separable_input_first, separable_output_first };

/// An input-queued virtual-channel router and the links between routers. Times are in cycles; allocation of a virtual
/// channel and of the switch takes one cycle each. Defaults are those of BookSim 2.0 except for the number of channels.
struct RouterSettings {
  unsigned virtual_channels = 4;
  /// Buffer of one virtual channel in flits.
  unsigned buffer_size = 8;
  /// 0: lookahead routing, which takes no time.
  unsigned routing_delay = 1;
  unsigned switch_traversal_delay = 1;
  /// Delay from the arrival of a credit to its use.
  unsigned credit_delay = 0;
  /// A head requests the switch while it still requests a virtual channel.
  bool speculative = false;
  /// Allocator of virtual channels and of the switch.
  Allocator allocator = Allocator::islip;
  /// Iterations of iSLIP; the separable allocators have one.
  unsigned iterations = 1;
  /// Latency of links between routers, for flits and credits. Links to nodes always take 1 cycle.
  unsigned link_latency = 1;
  unsigned credit_latency = 1;

  /// Cycles in a router without contention.
  unsigned router_delay() const { return routing_delay + (speculative ? 1 : 2) + switch_traversal_delay; }
  /// Cycles between two uses of a credit by body flits, without contention.
  unsigned body_credit_loop() const {
    return switch_traversal_delay + link_latency + credit_latency + 2 + credit_delay;
  }
  friend bool operator==(const RouterSettings&, const RouterSettings&) = default;
};

/// Maximum number of ports of a router: sets of ports have 64 bits.
inline constexpr unsigned max_ports = 64;
/// Maximum of ports x virtual channels of a router.
inline constexpr unsigned max_router_channels = 128;
inline constexpr unsigned max_virtual_channels = 32;
inline constexpr unsigned max_nodes = 1U << 14;
inline constexpr unsigned max_buffer_size = 1024;
inline constexpr unsigned max_stage_delay = 16;
inline constexpr unsigned max_link_latency = 64;

/// Default link latency of a torus, for flits and credits: when folded, every link is two tiles long.
inline constexpr unsigned folded_torus_latency = 2;

/// Problems of a network, each with the allowed values; empty if it can be built.
std::vector<std::string> problems_of(Topology topology, unsigned radix, unsigned dimensions,
                                     const RouterSettings& settings, unsigned concentration = 1);

}  // namespace pimsweep::hardware::noc::router
