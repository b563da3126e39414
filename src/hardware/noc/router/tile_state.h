#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::hardware::noc::router {

/// Tiles free packets delivered elsewhere once per round of so many cycles.
inline constexpr unsigned round_cycles = 64;

/// A packet in flight. Times are in cycles.
struct Packet {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t flits = 1;
  /// For use by the sender.
  std::uint32_t tag = 0;
  /// Time of creation.
  std::uint64_t created = 0;
  /// Time at which its head left the source for the first router; set by the network.
  std::uint64_t entered = 0;
  /// See Lattice::route.
  std::uint32_t tie_up = 0;
  /// Counted in the statistics; for use by the sender.
  bool measured = false;
};

/// Sums over the routers and nodes of a tile, or of all tiles. A flit may enter and leave the network in different
/// tiles, so only sums over all tiles are meaningful; they are correct even where the sum of a tile wraps.
struct TrafficCounts {
  /// Flits received by nodes.
  std::uint64_t taken_flits = 0;
  /// Routers passed, summed over all flits.
  std::uint64_t flit_hops = 0;
  /// Flits sent and not yet received, including flits that wait in their source, and credits in flight.
  std::uint64_t flits_under_way = 0;
  std::uint64_t credits_under_way = 0;
  /// Creation times of flits under way.
  std::uint64_t created_sum = 0;

  TrafficCounts& operator+=(const TrafficCounts& other) {
    taken_flits += other.taken_flits;
    flit_hops += other.flit_hops;
    flits_under_way += other.flits_under_way;
    credits_under_way += other.credits_under_way;
    created_sum += other.created_sum;
    return *this;
  }
  /// True if neither flits nor credits are in flight.
  bool empty() const { return flits_under_way == 0 && credits_under_way == 0; }
  /// Age at `time` in cycles since creation, summed over flits under way.
  double age_of_flits(std::uint64_t time) const {
    return static_cast<double>(flits_under_way) * static_cast<double>(time) - static_cast<double>(created_sum);
  }
};

/// Public state of a tile: a part of a network's routers with their nodes.
struct TileState {
  std::uint64_t time = 0;
  /// Packets whose last flit was received in this cycle.
  std::vector<Packet> delivered;
  /// Nodes that sent the last flit of a packet in the previous cycle, in any order.
  std::vector<std::uint32_t> freed_sources;
  TrafficCounts counts;
};

}  // namespace pimsweep::hardware::noc::router
