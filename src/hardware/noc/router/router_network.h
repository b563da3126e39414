#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// A packet in flight. Times are in cycles.
struct Packet {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t flits = 1;
  /// For the sender's own use.
  std::uint32_t tag = 0;
  /// When it was created.
  std::uint64_t created = 0;
  /// When its head left the source for the first router; set by the network.
  std::uint64_t entered = 0;
  /// See Lattice::route.
  std::uint32_t tie_up = 0;
  /// Whether it is measured; for the sender's own use.
  bool measured = false;
};

/// Sums over the routers and nodes of a tile, or of all. A flit may leave the network in another tile than that in
/// which it entered, so that only the sums over all tiles mean something; they are right although a tile's may wrap.
struct TrafficCounts {
  /// Flits received by nodes.
  std::uint64_t taken_flits = 0;
  /// Routers passed, summed over all flits.
  std::uint64_t flit_hops = 0;
  /// Flits sent and not yet received, including those that wait in their source, and credits in flight.
  std::uint64_t flits_under_way = 0;
  std::uint64_t credits_under_way = 0;
  /// Creation times of flits under way.
  std::uint64_t created_sum = 0;

  TrafficCounts& operator+=(const TrafficCounts& other);
  /// Whether nothing is in flight: no flit, no credit.
  bool empty() const { return flits_under_way == 0 && credits_under_way == 0; }
  /// Cycles since creation at a time, summed over flits under way.
  double age_of_flits(std::uint64_t time) const {
    return static_cast<double>(flits_under_way) * static_cast<double>(time) - static_cast<double>(created_sum);
  }
};

/// What the outside sees of a tile: a part of a network's routers with their nodes.
struct TileState {
  std::uint64_t time = 0;
  /// Packets whose last flit was received in this cycle.
  std::vector<Packet> delivered;
  /// Nodes that sent the last flit of a packet in the cycle before, in any order.
  std::vector<std::uint32_t> freed_sources;
  TrafficCounts counts;
};

/// Routers, links and nodes, cycle by cycle, with the timing of BookSim 2.0's input-queued router. A node sends one
/// packet after another and takes one flit a cycle. One cycle is:
///
///     begin_cycle(): links deliver; delivered() and freed_sources() are new
///     send(): at most one packet for each free source
///     finish_cycle(): sources and routers work, time goes on
///
/// Idle parts cost nothing.
///
/// The routers may be divided into tiles, which several threads simulate: each calls the functions of its own tiles,
/// and all wait for each other after some cycles. Nothing arrives in another tile in less than lookahead() cycles, so
/// that no tile needs what another one does in as many, and every flit moves as with one tile.
class RouterNetwork {
 public:
  virtual ~RouterNetwork() = default;

  virtual void begin_cycle(unsigned tile) = 0;
  /// The source must be free, and a node of the tile.
  virtual void send(unsigned tile, const Packet& packet) = 0;
  virtual void finish_cycle(unsigned tile) = 0;

  /// Puts a tile into the state that it has in another network, made with the same arguments, between two cycles.
  virtual void copy_tile(unsigned tile, const RouterNetwork& from) = 0;

  /// How many cycles a tile may do before the others have done the first of them. None of the times that are multiples
  /// of `round` may be among those after the first one.
  virtual unsigned lookahead() const = 0;
  static constexpr unsigned round = 64;

  unsigned tiles() const { return static_cast<unsigned>(states_.size()); }
  /// Nodes of a tile: from the first one to that of the next tile; `tile` may be tiles().
  std::uint32_t first_node(unsigned tile) const { return first_nodes_[tile]; }
  std::uint64_t time(unsigned tile) const { return states_[tile]->time; }
  std::span<const Packet> delivered(unsigned tile) const { return states_[tile]->delivered; }
  std::span<const std::uint32_t> freed_sources(unsigned tile) const { return states_[tile]->freed_sources; }
  const TrafficCounts& counts(unsigned tile) const { return states_[tile]->counts; }

  // For networks of one tile.
  void begin_cycle() { begin_cycle(0); }
  void send(const Packet& packet) { send(0, packet); }
  void finish_cycle() { finish_cycle(0); }
  std::uint64_t time() const { return time(0); }
  /// Advances the time of an empty network.
  void wait_until(std::uint64_t time) { states_[0]->time = time; }
  std::span<const Packet> delivered() const { return delivered(0); }
  std::span<const std::uint32_t> freed_sources() const { return freed_sources(0); }
  std::uint64_t taken_flits() const { return counts(0).taken_flits; }
  std::uint64_t flit_hops() const { return counts(0).flit_hops; }
  double age_of_flits_under_way() const { return counts(0).age_of_flits(time()); }
  bool empty() const { return counts(0).empty(); }

 protected:
  std::vector<TileState*> states_;
  std::vector<std::uint32_t> first_nodes_;
};

/// Throws std::invalid_argument with everything that problems_of() reports. The lattice must outlive the network. No
/// more tiles are made than there are routers.
std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings,
                                                   unsigned tiles = 1);

}  // namespace pimsweep::hardware::noc::router
