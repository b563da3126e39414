#pragma once

#include <cstdint>
#include <span>
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

/// The schedule of a policy.
struct Decision {
  /// For each stage the groups of layers in order of decreasing capacity. Empty if the policy found no schedule.
  std::vector<std::vector<Layers>> stages;
  /// Reason for a missing schedule; empty if there is one.
  std::string infeasible;
  /// The solver and its proof; empty for policies without a solver.
  std::string solver;
  /// Limits of the validity of the result; empty if there are none.
  std::string caveat;
};

/// Options of policies besides model and machine.
struct PolicyOptions {
  /// For `manual`.
  std::string_view schedule;
  /// Seconds, for `allspark-ilp`.
  double ilp_time_limit = 0;
  /// True if temporal layers of a stage use one another's weights (Sec. VI-C).
  bool weight_reuse = true;
};

/// A scheduling policy: model and machine in, schedule out.
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// Throws PointError if the options are meaningless for the policy.
  Decision (*choose)(ModelCosts& costs, const PolicyOptions& options);
  /// True if the policy may use up ilp_time_limit.
  bool is_time_limited = false;
  /// Throws the PointErrors of choose() that do not depend on the machine; null if there are none.
  void (*require)(const PolicyOptions& options, const workload::VisionTransformer& model,
                  std::string_view policy) = nullptr;
};

/// All policies: those of policies.cpp, then those that were registered.
std::span<const Policy> policies();

/// Adds a policy, whose texts must outlive the program's systems, before any system is made
/// (docs/tutorials/library.md). Throws std::logic_error if the name is taken or policies are in use already.
void register_policy(const Policy& policy);

}  // namespace pimsweep::systems::allspark
