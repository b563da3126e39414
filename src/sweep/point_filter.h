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

/// Keeps the points of a shard: of each run of as many points as there are shards one, not always the same one, so that
/// no shard has all points with one value of an axis. Sampled machines of a point stay together. False if no point is
/// left, or if the study is a search or too large, which is reported at `where`.
bool take_shard(StudyData& data, const Shard& shard, const SourcePosition& where, ProblemList& problems);

}  // namespace pimsweep::sweep
