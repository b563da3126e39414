#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/tile_state.h"

namespace pimsweep::hardware::noc::router {

/// Routers, links and nodes, cycle by cycle, with the timing of BookSim 2.0's input-queued router. A node sends its
/// packets one after another and receives one flit per cycle. One cycle is:
///
///     begin_cycle(): links deliver; delivered() and freed_sources() are new
///     send(): at most one packet per free source
///     finish_cycle(): sources and routers work; time advances
///
/// Idle routers cost no time.
///
/// The routers may be divided into tiles for several threads: each thread calls the functions of its own tiles, and
/// all synchronize every lookahead() cycles. Nothing reaches another tile in fewer cycles, so every flit moves exactly
/// as with a single tile.
class RouterNetwork {
 public:
  virtual ~RouterNetwork() = default;

  virtual void begin_cycle(unsigned tile) = 0;
  /// The source must be free, and a node of the tile.
  virtual void send(unsigned tile, const Packet& packet) = 0;
  virtual void finish_cycle(unsigned tile) = 0;

  /// Copies the state of a tile from another network made with the same arguments, between two cycles.
  virtual void copy_tile(unsigned tile, const RouterNetwork& from) = 0;

  /// Maximum number of cycles that a tile may simulate before the others have simulated the first of them. Of these
  /// cycles, only the first may be a multiple of round_cycles.
  virtual unsigned lookahead() const = 0;

  unsigned tiles() const { return static_cast<unsigned>(states_.size()); }
  /// The first node of a tile; the number of nodes for `tile` = tiles().
  std::uint32_t first_node(unsigned tile) const { return first_nodes_[tile]; }
  std::uint64_t time(unsigned tile) const { return states_[tile]->time; }
  std::span<const Packet> delivered(unsigned tile) const { return states_[tile]->delivered; }
  std::span<const std::uint32_t> freed_sources(unsigned tile) const { return states_[tile]->freed_sources; }
  const TrafficCounts& counts(unsigned tile) const { return states_[tile]->counts; }

  // For networks with one tile.
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

/// Throws std::invalid_argument with all problems that problems_of() reports. The lattice must outlive the network. The
/// number of tiles is limited to the number of routers.
std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings,
                                                   unsigned tiles = 1);

}  // namespace pimsweep::hardware::noc::router
