#pragma once

#include <vector>

#include "base/error.h"
#include "sweep/condition.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// Maximum size of a product that can be filtered.
constexpr std::uint64_t max_filtered_points = std::uint64_t{1} << 32;

/// Finds the points of a study's product that satisfy all conditions: sets data.kept and updates data.varies. Evaluates
/// each condition once for each combination of the factors that it uses. Reports products that are too large,
/// conditions that are not true or false at some point, and conditions that no point satisfies.
void filter_points(StudyData& data, std::vector<Condition> conditions, ProblemList& problems);

}  // namespace pimsweep::sweep
