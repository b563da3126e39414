#pragma once

#include <cstdint>
#include <functional>

#include "systems/pimflow/policy.h"

namespace pimsweep::systems::pimflow {

/// Decision for a single node.
using Decide = std::function<Decision(const Node&)>;

/// One node after another, each as `decide` says.
Plan one_by_one(const PolicyInput& input, const Decide& decide);

/// Numbers of stages of a pipeline that are tried.
struct StageRange {
  std::int64_t min = 2;
  std::int64_t max = 5;
};

/// Adjacency of nodes in Algorithm 1: nodes that follow each other in topological order, or nodes of a chain that feed
/// only each other.
enum class Order : std::uint8_t { topological, chains };

/// Pipelines, each with the fastest of the numbers of stages, where they are faster; all other nodes as `decide` says.
Plan with_pipelines(const PolicyInput& input, const Decide& decide, StageRange stages, Order order);

}  // namespace pimsweep::systems::pimflow
