#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "sweep/search_settings.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// Maximum number of values of a range of a search.
constexpr std::uint64_t max_range_values = 1U << 16U;

/// The values of a range of [study.search.ranges]. Empty for ranges that are continuous or too large, which are
/// reported.
std::optional<std::vector<Value>> range_values(const systems::Axis& axis, const RangeSetting& setting,
                                               ProblemList& problems);

/// Resolves metrics, conditions and budget of a search, but not its dimensions. `axes` is the schema for conditions
/// over axes, `where` are the conditions of the study, `derived` its derived metrics. Adds every problem to `problems`.
SearchSettings resolve_search(const SearchBlock& block, const systems::Schema& axes,
                              const std::vector<PlacedText>& where, const std::vector<DerivedMetric>& derived,
                              ProblemList& problems);

/// Sets the dimensions of a search from the factors of its study, which have been multiplied.
void set_dimensions(const StudyData& data, SearchSettings& search);

}  // namespace pimsweep::sweep
