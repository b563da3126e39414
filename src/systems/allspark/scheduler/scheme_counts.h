#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/allspark/scheduler/schedule_problem.h"

namespace pimsweep::systems::allspark::scheduler {

/// The schedule of a stage from the number of layers of each of its schemes, in order of decreasing capacity.
std::vector<LayerGroup> groups_of(const StageProblem& stage, std::span<const std::int64_t> counts);

}  // namespace pimsweep::systems::allspark::scheduler
