#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "systems/pimflow/plan.h"

namespace pimsweep::systems::pimflow {

/// Input of a policy.
struct PolicyInput {
  const Network& network;
  Costs& costs;
  /// Percent of a layer's rows between two shares that are tried.
  std::int64_t split_interval = 10;
  std::int64_t stages = 2;
};

/// Decides the device, split or pipeline of each node.
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// True if some memory channels are PIM's; else the GPU has them all.
  bool divides_memory = true;
  /// True if PIM's commands are optimized (several global buffers, hidden GWRITEs: Sec. 4.1).
  bool optimized_commands = true;
  /// True if it tries shares of a layer at the interval.
  bool tries_shares = false;
  Plan (*plan)(const PolicyInput& input) = nullptr;
};

/// All policies: those of policies.cpp, then those that were registered.
std::span<const Policy> policies();

/// Adds a policy, whose texts must outlive the program's systems, before any system is made
/// (docs/tutorials/library.md). Throws std::logic_error if the name is taken or policies are in use already.
void register_policy(const Policy& policy);

}  // namespace pimsweep::systems::pimflow
