#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/hash.h"
#include "systems/allspark/placement/interaction_traffic.h"
#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark::placement {

/// Remembers placements, which points that differ in route or fidelity share, and exchanges on the routers, which equal
/// placements and equal stages share. Each of the two is emptied when it is full.
class ExchangeCache {
 public:
  /// Where a method puts the branches; the reference holds until the next call.
  const Binding& binding(const PlacementProblem& problem, const PlacementMethod& method, std::uint64_t seed);

  /// InteractionTraffic::simulated_cycles.
  std::int64_t simulated_cycles(const InteractionTraffic& traffic, double max_flit_hops);

 private:
  std::unordered_map<Hash128, Binding> bindings_;
  std::unordered_map<Hash128, std::int64_t> cycles_;
};

}  // namespace pimsweep::systems::allspark::placement
