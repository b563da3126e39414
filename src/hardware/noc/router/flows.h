#pragma once

#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// Bytes from one node to another. It begins when its start time has come and all transfers that it comes after have
/// arrived.
struct Transfer {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  /// Cycle.
  std::uint64_t start = 0;
  /// Numbers of other transfers.
  std::vector<std::uint32_t> after;
  /// A node sends those of a lower rank first.
  std::uint32_t rank = 0;
};

/// How bytes become packets.
struct PacketFormat {
  std::uint32_t flit_bytes = 8;
  /// Flits of a packet, at most; the last one of a transfer may be shorter.
  std::uint32_t max_flits = 8;
  /// A node sends packets of all its transfers in turn, instead of one transfer after another.
  bool in_turn = false;
  friend bool operator==(const PacketFormat&, const PacketFormat&) = default;
};

struct FlowsResult {
  struct Times {
    /// When the transfer was let begin, and when its last flit was taken; equal without bytes.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Times> transfers;
  /// When the last transfer ended.
  std::uint64_t makespan = 0;
  /// Flits that passed a router.
  std::uint64_t flit_hops = 0;
};

/// Runs the transfers to their end, cycle by cycle. A node sends its transfers one after another or in turn: by rank,
/// then in the order in which they could begin, then by number. Throws std::invalid_argument for nodes and transfers
/// that there are not, and for transfers that come after themselves.
FlowsResult simulate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers);

/// The same by formula: each transfer takes its zero-load latency and a cycle for each flit, as if it were alone; and
/// the makespan is at least what the busiest link has to carry.
FlowsResult estimate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers);

}  // namespace pimsweep::hardware::noc::router
