#pragma once

#include <vector>

#include "base/error.h"
#include "sweep/condition.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// More points of a product than this cannot be filtered.
constexpr std::uint64_t max_filtered_points = std::uint64_t{1} << 32;

/// Finds the points of a study's product that fulfill all conditions: sets data.kept and corrects data.varies. A
/// condition is evaluated once for each combination of the factors that it uses. What is wrong goes to `problems`: a
/// product that is too large, a point for which a condition is no truth value, conditions that keep nothing.
void filter_points(Study::Data& data, std::vector<Condition> conditions, ProblemList& problems);

}  // namespace pimsweep::sweep
