#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/statistics.h"

namespace pimsweep::results {

/// Deviation of a metric from a column of reference values of a point table.
struct Comparison {
  std::string study;
  std::string metric;
  /// Points that have both a result and a reference.
  std::size_t count = 0;
  /// Statistics of (ours - reference) / |reference|.
  DeviationSummary deviation;
  /// Point of the worst deviation, and its labels as "name = text".
  std::size_t worst_point = 0;
  std::string worst_labels;
};

/// Compares every reference_X with the metric X, in every study that has any. Throws InputError if a reference has no
/// metric of its name, or if there is no reference at all. `studies`: only these; all if empty.
std::vector<Comparison> compare_with_references(const std::string& results_file,
                                                const std::vector<std::string>& studies = {});

}  // namespace pimsweep::results
