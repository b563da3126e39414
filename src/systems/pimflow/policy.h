#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "systems/pimflow/plan.h"

namespace pimsweep::systems::pimflow {

/// What a policy plans with.
struct PolicyInput {
  const Network& network;
  Costs& costs;
  /// Percent of a layer's rows between two shares that are tried.
  std::int64_t split_interval = 10;
  std::int64_t stages = 2;
};

/// Decides how each node runs.
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// Whether some channels are PIM's; else the GPU has them all.
  bool divides_memory = true;
  /// Whether PIM's commands are optimised (several global buffers, hidden GWRITEs: Sec. 4.1).
  bool optimised_commands = true;
  /// Whether it tries shares of a layer at the interval.
  bool tries_shares = false;
  Plan (*plan)(const PolicyInput& input);
};

/// All policies, registered in policy.cpp.
const std::vector<Policy>& policies();

/// The named policy; the schema admits no other name.
const Policy& policy_named(std::string_view name);

/// One node after the other, each as `decide` says.
using Decide = std::function<Decision(const Node&)>;
Plan one_by_one(const PolicyInput& input, const Decide& decide);

/// Pipelines in `stages` stages (the fastest of `least` to `most`), as many as pay off, in the order of the nodes or
/// along each chain of nodes that feed only each other; everything else as `decide` says.
enum class Order : std::uint8_t { topological, chains };
Plan with_pipelines(const PolicyInput& input, const Decide& decide, std::int64_t least, std::int64_t most, Order order);

}  // namespace pimsweep::systems::pimflow
