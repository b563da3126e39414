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

/// Routers, links and nodes, cycle by cycle, with the timing of BookSim 2.0's input-queued router. A node sends one
/// packet after another and takes one flit a cycle. One cycle is:
///
///     begin_cycle(): links deliver; delivered() and freed_sources() are new
///     send(): at most one packet for each free source
///     finish_cycle(): sources and routers work, time goes on
///
/// Idle parts cost nothing.
class RouterNetwork {
 public:
  virtual ~RouterNetwork() = default;

  virtual void begin_cycle() = 0;
  /// The source must be free.
  virtual void send(const Packet& packet) = 0;
  virtual void finish_cycle() = 0;

  std::uint64_t time() const { return time_; }
  /// Advances the time of an empty network.
  void wait_until(std::uint64_t time) { time_ = time; }
  /// Packets whose last flit was received in this cycle.
  std::span<const Packet> delivered() const { return delivered_; }
  /// Nodes that sent the last flit of a packet in the cycle before.
  std::span<const std::uint32_t> freed_sources() const { return freed_sources_; }
  /// Total number of flits received by nodes.
  std::uint64_t taken_flits() const { return taken_flits_; }
  /// Routers passed, summed over all flits.
  std::uint64_t flit_hops() const { return flit_hops_; }
  /// Flits sent and not yet received, including those that wait in their source.
  std::uint64_t flits_under_way() const { return flits_under_way_; }
  /// Cycles since creation, summed over flits under way.
  double age_of_flits_under_way() const {
    return static_cast<double>(flits_under_way_) * static_cast<double>(time_) - created_sum_;
  }
  /// Whether nothing is in flight: no flit, no credit.
  bool empty() const { return flits_under_way_ == 0 && credits_under_way_ == 0; }

 protected:
  std::uint64_t time_ = 0;
  std::vector<Packet> delivered_;
  std::vector<std::uint32_t> freed_sources_;
  std::uint64_t taken_flits_ = 0;
  std::uint64_t flit_hops_ = 0;
  std::uint64_t flits_under_way_ = 0;
  std::uint64_t credits_under_way_ = 0;
  /// Creation times of flits under way; exact, as all are integers below 2^53.
  double created_sum_ = 0;
};

/// Throws std::invalid_argument with everything that problems_of() reports. The lattice must outlive the network.
std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings);

}  // namespace pimsweep::hardware::noc::router
