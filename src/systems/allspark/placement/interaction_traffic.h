#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hardware/noc/router/flows.h"
#include "systems/allspark/placement/placement_problem.h"

namespace pimsweep::systems::allspark::placement {

/// Route of data from one sub-array to another.
enum class InteractionRoute : std::uint8_t {
  corner,  ///< gathered in one upper left node, handed over to the other one, scattered (Sec. VII-B2)
  direct   ///< every node sends its share to a node of the other sub-array
};

/// The mesh of nodes, its routers and the format of packets.
struct InteractionNetwork {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  /// Bytes of a word.
  double word_bytes = 0;
  hardware::noc::router::PacketFormat format;
  hardware::noc::router::RouterSettings router;
};

/// Transfers between nodes in one interaction. By way of the corners there are three phases (Sec. VII-B2): the data of
/// each branch is i) gathered in the upper left node of its sub-array, ii) handed over to the upper left nodes of the
/// branches that need it, and iii) scattered over their sub-arrays. The direct route has only phase ii), between nodes
/// with the same index in their sub-arrays, row by row; if one sub-array is larger, several of its nodes share a node
/// of the other one. Every node of a sub-array has an equal share, rounded up to bytes. Data that stays on a node does
/// not count.
class InteractionTraffic {
 public:
  InteractionTraffic(const PlacementProblem& problem, const Binding& binding, const InteractionNetwork& network,
                     InteractionRoute route);

  /// All of them on a square mesh of side() nodes, row by row; a handover comes after the gathering of its source, a
  /// scattering after all handovers to its branch.
  const std::vector<hardware::noc::router::Transfer>& transfers() const { return transfers_; }
  unsigned side() const { return side_; }
  const InteractionNetwork& network() const { return network_; }

  /// Bytes handed over between branches, those on the same node included.
  std::int64_t bytes() const { return bytes_; }
  /// Bytes x links crossed in all phases, and in handing over alone.
  std::int64_t byte_hops() const { return byte_hops_; }
  std::int64_t handover_byte_hops() const { return handover_byte_hops_; }
  /// Bytes on the busiest link in all phases.
  std::int64_t busiest_link_bytes() const { return busiest_link_bytes_; }

  /// Cycles by formula: a transfer takes the flits that the busiest link, sender or receiver on its route carries in
  /// the same phase, plus the latency of its first flit; it begins when all transfers that it depends on have ended.
  /// The sum is at least what the busiest of them carries in all phases.
  std::int64_t estimated_cycles() const { return estimated_cycles_; }
  /// Cycles of the transfers on simulated routers. If flits x routers exceed `max_flit_hops`, only an equal share of
  /// every transfer is simulated, at least some packets, and scaled by the cycles by formula of the whole over those of
  /// the share. Blocking costs the share somewhat less (docs/allspark-placement.md).
  std::int64_t simulated_cycles(double max_flit_hops = std::numeric_limits<double>::infinity()) const;

 private:
  /// Priority of a transfer: a corner first hands over what others wait for, then scatters what has arrived.
  enum Phase : std::uint8_t { gather, handover, scatter };

  void add_by_corners(const PlacementProblem& problem, const Binding& binding);
  void add_directly(const PlacementProblem& problem, const Binding& binding);
  std::int64_t bytes_of(std::int64_t words) const;
  /// Number of the i-th node of a sub-array, row by row.
  std::uint32_t node_of(const hardware::node_array::SubArray& nodes, std::int64_t i) const;
  std::uint32_t number_of(std::int64_t row, std::int64_t col) const;
  std::uint32_t add(Phase phase, std::uint32_t source, std::uint32_t destination, std::int64_t bytes,
                    const std::vector<std::uint32_t>& after);
  void weigh();
  /// The transfers with this share of their bytes, at least one flit each.
  std::vector<hardware::noc::router::Transfer> shortened(double share) const;
  std::int64_t estimate(const std::vector<hardware::noc::router::Transfer>& transfers) const;

  InteractionNetwork network_;
  unsigned side_;
  hardware::noc::router::Lattice lattice_;
  std::vector<hardware::noc::router::Transfer> transfers_;
  std::int64_t bytes_ = 0;
  std::int64_t byte_hops_ = 0;
  std::int64_t handover_byte_hops_ = 0;
  std::int64_t busiest_link_bytes_ = 0;
  std::int64_t estimated_cycles_ = 0;
  /// Flits that pass a router, and flits that are sent, in all phases.
  std::int64_t flit_hops_ = 0;
  std::int64_t flits_ = 0;
  /// Sum of the squares of the transfers' flits.
  double squared_flits_ = 0;
};

}  // namespace pimsweep::systems::allspark::placement
