#pragma once

#include <vector>

#include "base/error.h"
#include "sweep/condition.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// Maximum size of a product that can be filtered.
constexpr std::uint64_t max_filtered_points = std::uint64_t{1} << 32;

/// Finds the points of a study's product that satisfy all conditions: sets data.kept and updates data.varies. Evaluates
/// each condition once for each combination of the factors that it uses. Reports to `problems` a product that is too
/// large, a condition that is not a truth value for some point, and conditions that no point satisfies.
void filter_points(Study::Data& data, std::vector<Condition> conditions, ProblemList& problems);

}  // namespace pimsweep::sweep
