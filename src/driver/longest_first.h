#pragma once

#include <cstdint>
#include <vector>

#include "driver/evaluator.h"
#include "driver/point_set.h"

namespace pimsweep {

/// The points not yet done that are expected to take longest, longest first, where systems can tell: begun first, none
/// of them is left over at the end. All others are shorter than a hundredth of one evaluator's share, so that together
/// they fill the gaps; so there are never more than a hundred for each evaluator, whatever the plan's size. Stops
/// looking where points are so cheap that asking costs more than a hundredth of evaluating them.
std::vector<std::uint64_t> longest_first(const PointSet& done, Evaluator& evaluator, int evaluators);

}  // namespace pimsweep
