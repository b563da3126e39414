#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "systems/allspark/model_costs.h"
#include "systems/allspark/placement/exchange_cache.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Placement and cost model of interactions.
struct PlacementOptions {
  /// Null: interactions are left out.
  const placement::PlacementMethod* method = nullptr;
  /// Seed of methods that use random numbers.
  std::uint64_t seed = 1;
  placement::InteractionRoute route = placement::InteractionRoute::corner;
  /// Flits x routers of an interaction beyond which only a part of it is simulated.
  double max_flit_hops = std::numeric_limits<double>::infinity();
};

/// Data exchange between the placed branches of one kind of blocks in one stage.
struct StageInteraction {
  /// Index of the stage, from 0.
  std::size_t stage = 0;
  std::string kind;
  /// Interactions in all blocks of the stage, for one sample.
  std::int64_t times = 0;
  std::int64_t dependences = 0;
  double hops_of_word = 0;
  double hops_of_dependence = 0;
  /// For one interaction and one sample: bytes handed over; bytes x links with gathering and scattering, and without;
  /// bytes on the busiest link; clock cycles.
  std::int64_t bytes = 0;
  std::int64_t byte_hops = 0;
  std::int64_t handover_byte_hops = 0;
  std::int64_t busiest_link_bytes = 0;
  std::int64_t cycles = 0;
  /// Sec. IV: a branch's feature map over one link, over the branch's multiply-accumulates on one node:
  /// PEs / (words of a link in a cycle x ((4 + 2 a1) C + 2 n)).
  double ideal_share = 0;
  /// The slot of each branch.
  std::vector<placement::Slot> places;
};

/// Places the branches of all stages of a schedule in which branches interact, and determines the cost of their
/// interactions, by formula or on simulated routers. Layers take branches greedily, the largest capacity first, as in
/// evaluate(). Throws PointError where the network of routers cannot be simulated.
std::vector<StageInteraction> place_interactions(ModelCosts& costs, const Decision& decision,
                                                 const PlacementOptions& options, Fidelity fidelity,
                                                 placement::ExchangeCache& cache);

}  // namespace pimsweep::systems::allspark
