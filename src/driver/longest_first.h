#pragma once

#include <vector>

#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "driver/work_pool.h"

namespace pimsweep::driver {

/// Predicted times of the pending points, as far as the systems can predict them.
struct Expectation {
  /// The longest points, in descending order of time.
  std::vector<LongPoint> longest;
  /// Sum over all points that were asked about.
  double total_seconds = 0;
};

/// Finds the pending points with the longest predicted times. Beginning them first avoids stragglers at the end of the
/// run. All other points take less than 1 % of one evaluator's share of the work and fill the gaps, so there are at
/// most 100 long points per evaluator, whatever the plan's size. Stops asking once that has taken more than
/// `share_for_asking` of the time that evaluating the points is predicted to take.
Expectation longest_first(const PointSet& done, Evaluator& evaluator, int evaluators, double share_for_asking = 0.01);

}  // namespace pimsweep::driver
