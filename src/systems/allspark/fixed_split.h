#pragma once

#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Splits that a fixed policy may use.
enum class FixedSplit : std::uint8_t { none, patches, heads };

/// Schedules every stage with one partition, the largest split of the given kind that fits the node array (the
/// baselines of Sec. VIII-A). Where the weights exceed a node, the smallest number of sub-arrays shares them for which
/// Eq. (5) holds (docs/allspark.md, "Baselines").
Decision choose_fixed_split(ModelCosts& costs, const PolicyOptions& options, FixedSplit split);

}  // namespace pimsweep::systems::allspark
