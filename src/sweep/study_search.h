#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "sweep/search_settings.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// Most values of a range of a search.
constexpr std::uint64_t max_range_values = 1U << 16U;

/// The values of a range of [study.search.ranges]. Empty on error: a range that is continuous or has too many values.
std::optional<std::vector<Value>> range_values(const systems::Axis& axis, const RangeSetting& setting,
                                               ProblemList& problems);

/// Resolves a search, without its dimensions: metrics, conditions and budget. `axes` is what conditions over axes are
/// compiled against, `where` the conditions of the study. Every problem goes to `problems`.
SearchSettings resolve_search(const SearchBlock& block, const systems::Schema& axes,
                              const std::vector<PlacedText>& where, ProblemList& problems);

/// Sets the dimensions of a search from the factors of its study, which have been multiplied.
void set_dimensions(const Study::Data& data, SearchSettings& search);

}  // namespace pimsweep::sweep
