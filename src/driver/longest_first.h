#pragma once

#include <vector>

#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "driver/work_pool.h"

namespace pimsweep::driver {

/// What is expected of the points not yet done, as far as systems can tell.
struct Expectation {
  /// Those that take longest, longest first.
  std::vector<LongPoint> longest;
  /// Of all points that were asked for.
  double total_seconds = 0;
};

/// Finds the points not yet done that are expected to take longest: begun first, none of them is left over at the end.
/// All others are shorter than a hundredth of one evaluator's share, so that together they fill the gaps; so there are
/// never more than a hundred for each evaluator, whatever the plan's size. Stops looking where points are so cheap that
/// asking takes more than `share_for_asking` of the time that evaluating them would.
Expectation longest_first(const PointSet& done, Evaluator& evaluator, int evaluators, double share_for_asking = 0.01);

}  // namespace pimsweep::driver
