#pragma once

#include <string_view>
#include <vector>

#include "systems/allspark/model_costs.h"
#include "systems/allspark/policy.h"

namespace pimsweep::systems::allspark {

/// Reads a schedule as read_schedule() does, but does not look at the machine: splits and branches are not checked.
std::vector<std::vector<Layers>> parse_schedule(std::string_view text, const workload::VisionTransformer& model);

/// Reads a schedule such as "1x1*2 4x2 | 2x1 4x4 | 8x2*2 16x4 | 4x4": stages separated by |, in each the temporal
/// layers as head split x patch split, with *n for n equal layers. Returns each stage's groups in order of decreasing
/// capacity. Throws PointError that names stage, character and what is allowed: bad text, wrong number of stages,
/// splits outside 1..heads and 1..patches, sub-arrays that do not fit the node array, branches left over, layers that
/// stay empty.
std::vector<std::vector<Layers>> read_schedule(std::string_view text, ModelCosts& costs);

}  // namespace pimsweep::systems::allspark
