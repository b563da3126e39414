#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systems/allspark/model_costs.h"
#include "systems/allspark/partition.h"

namespace pimsweep::systems::allspark {

/// `layers` temporal layers that share a partition.
struct Layers {
  Partition partition;
  std::int64_t layers = 0;
};

/// What a policy decided.
struct Decision {
  /// For each stage the groups of layers in order of decreasing capacity. Empty if the policy found no schedule.
  std::vector<std::vector<Layers>> stages;
  /// No schedule at all but all PEs busy all the time.
  bool ideal = false;
  /// Not on the PIM system at all but on the graphics card.
  bool on_gpu = false;
  /// Why there is no schedule; empty if there is one.
  std::string infeasible;
  /// Which solver answered and what it proved; empty for policies that need none.
  std::string solver;
  /// What a reader should know about the result; empty if nothing.
  std::string caveat;
};

/// What policies read from the point beside the model and the machine.
struct PolicyOptions {
  /// For `manual`.
  std::string schedule;
  /// Seconds, for `allspark-ilp`.
  double ilp_time_limit = 0;
  /// Whether temporal layers of a stage use one another's weights (Sec. VI-C).
  bool weight_reuse = true;
};

/// A scheduling policy: model and machine in, schedule out. `decide` throws PointError when the options have no meaning
/// for it.
struct Policy {
  std::string_view name;
  std::string_view doc;
  Decision (*decide)(ModelCosts& costs, const PolicyOptions& options);
};

/// All policies, registered in policy.cpp.
const std::vector<Policy>& policies();

/// The named policy; the schema admits no other name.
const Policy& policy_named(std::string_view name);

}  // namespace pimsweep::systems::allspark
