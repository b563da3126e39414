#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hardware/noc/router/flows.h"
#include "systems/allspark/placement/placement_problem.h"

namespace pimsweep::systems::allspark::placement {

/// How data gets from one sub-array to another.
enum class InteractionRoute : std::uint8_t {
  corner,  ///< gathered in one upper left node, handed over to the other one, scattered (Sec. VII-B2)
  direct   ///< every node hands its share over to a node of the other sub-array
};

/// The mesh of the nodes and how data crosses it.
struct InteractionNetwork {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  /// Bytes of a word.
  double word_bytes = 0;
  hardware::noc::router::PacketFormat format;
  hardware::noc::router::RouterSettings router;
};

/// What one interaction moves between nodes. By way of the corners that is done in three phases (Sec. VII-B2): i) each
/// branch's data is gathered in the upper left node of its sub-array, ii) handed over to the upper left node of the
/// branches that need it, iii) scattered over their sub-arrays. Directly there is only ii), between nodes of the same
/// number in their sub-arrays, row by row; if one sub-array is larger, several of its nodes share one of the other's.
/// Every node of a sub-array has an equal share, rounded up to bytes. What stays on a node does not appear.
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

  /// Cycles by formula: a transfer takes as long as the busiest link, sender or receiver on its way has to carry in its
  /// phase, and the way of its first flit; it begins when those that it comes after have ended. At least what the
  /// busiest one carries in all phases.
  std::int64_t estimated_cycles() const { return estimated_cycles_; }
  /// Cycles of the same transfers on the routers, cycle by cycle. Of an exchange with more flits x routers than this an
  /// equal share of every transfer is simulated, at least some packets, and the cycles by formula of the whole are
  /// taken as often as those of the share. Blocking costs the share somewhat less (docs/allspark-placement.md).
  std::int64_t simulated_cycles(double max_flit_hops = std::numeric_limits<double>::infinity()) const;

 private:
  /// Rank of a transfer: a corner hands over what others wait for before it scatters what has come.
  enum Phase : std::uint8_t { gather, handover, scatter };

  void add_by_corners(const PlacementProblem& problem, const Binding& binding);
  void add_directly(const PlacementProblem& problem, const Binding& binding);
  std::int64_t bytes_of(std::int64_t words) const;
  /// Of the i-th node of a sub-array, row by row.
  std::uint32_t node_of(const hardware::node_array::SubArray& nodes, std::int64_t i) const;
  std::uint32_t number_of(std::int64_t row, std::int64_t col) const;
  std::uint32_t add(Phase phase, std::uint32_t source, std::uint32_t destination, std::int64_t bytes,
                    const std::vector<std::uint32_t>& after);
  void weigh();
  /// With so much of every transfer's bytes, one flit at least.
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
  /// Of each transfer's flits squared, the sum.
  double squared_flits_ = 0;
};

}  // namespace pimsweep::systems::allspark::placement
