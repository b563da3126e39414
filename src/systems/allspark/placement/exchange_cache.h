#pragma once

#include <cstdint>

#include "base/bounded_cache.h"
#include "base/hash.h"
#include "systems/allspark/placement/interaction_traffic.h"
#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark::placement {

/// Remembers placements, which points that differ in route or fidelity share, and exchanges on the routers, which equal
/// placements and equal stages share.
class ExchangeCache {
 public:
  /// The placement of the branches by a method; the reference holds until many others were requested.
  const Binding& binding(const PlacementProblem& problem, const PlacementMethod& method, std::uint64_t seed);

  /// InteractionTraffic::simulated_cycles.
  std::int64_t simulated_cycles(const InteractionTraffic& traffic, double max_flit_hops);

 private:
  static constexpr std::size_t max_bindings = 64;
  static constexpr std::size_t max_exchanges = 4096;
  BoundedCache<Hash128, Binding> bindings_{max_bindings};
  BoundedCache<Hash128, std::int64_t> cycles_{max_exchanges};
};

}  // namespace pimsweep::systems::allspark::placement
