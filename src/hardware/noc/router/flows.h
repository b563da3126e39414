#pragma once

#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// A transfer of bytes between two nodes. It starts at its start time, or once all transfers in `after` have arrived,
/// whichever is later.
struct Transfer {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  /// Earliest cycle at which it may start.
  std::uint64_t start = 0;
  /// Numbers of the transfers that must arrive first.
  std::vector<std::uint32_t> after;
  /// A node sends transfers of a lower rank first.
  std::uint32_t rank = 0;
};

/// Packetization of transfers.
struct PacketFormat {
  std::uint32_t flit_bytes = 8;
  /// Maximum number of flits of a packet; the last packet of a transfer may be shorter.
  std::uint32_t max_flits = 8;
  /// A node interleaves the packets of all its transfers round-robin, instead of sending one transfer after another.
  bool in_turn = false;
  friend bool operator==(const PacketFormat&, const PacketFormat&) = default;
};

struct FlowsResult {
  struct Times {
    /// Cycle in which the transfer could start, and in which its last flit was received; equal for zero bytes.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Times> transfers;
  /// End of the last transfer.
  std::uint64_t makespan = 0;
  /// Flits that passed a router.
  std::uint64_t flit_hops = 0;
};

/// Simulates the transfers to their end, cycle by cycle. A node sends its transfers one after another or round-robin:
/// by rank, then in the order in which they could start, then by number. Throws std::invalid_argument for unknown nodes
/// and transfers, and for circular dependencies.
FlowsResult simulate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers);

/// Closed-form estimate of simulate_flows(): each transfer takes its zero-load latency plus one cycle per flit, as if
/// it were alone; the makespan is at least the time of the busiest link.
FlowsResult estimate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers);

}  // namespace pimsweep::hardware::noc::router
