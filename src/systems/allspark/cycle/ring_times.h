#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/cycle/ring_network.h"
#include "systems/allspark/partition.h"

namespace pimsweep::systems::allspark::cycle {

/// The node array, its routers and the format of packets.
struct NodeNetwork {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  hardware::noc::router::RouterSettings router;
  hardware::noc::router::PacketFormat format;
  friend bool operator==(const NodeNetwork&, const NodeNetwork&) = default;
};

/// Times of movements on the links and routers of a node array. Rings of the same shape are simulated once.
class RingTimes {
 public:
  explicit RingTimes(const NodeNetwork& nodes) : nodes_(nodes), network_(nodes.router, nodes.format) {}

  /// Cycles of `steps` steps of `flits` flits each in a temporal layer of `branches` branches.
  double operator()(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps,
                    std::int64_t flits);

 private:
  RingProgram program_of(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps) const;

  NodeNetwork nodes_;
  RingNetwork network_;
  /// Everything that a program depends on: the length of a ring in a line; else sub-arrays, their number and path.
  using Shape = std::tuple<Path, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Shape, RingNetwork::Pace> paces_;
  std::map<std::pair<Shape, std::int64_t>, double> short_chunks_;
};

}  // namespace pimsweep::systems::allspark::cycle
