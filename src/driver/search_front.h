#pragma once

#include <cstdint>
#include <vector>

#include "driver/search_log.h"
#include "sweep/search_settings.h"

namespace pimsweep::driver {

/// Marks the Pareto-optimal rows among the feasible ones from `begin` to `end`.
void mark_front(const sweep::SearchSettings& search, std::uint64_t begin, std::uint64_t end, SearchLog& log);

/// Fills in the generations from the first `points` rows, those of the search.
void count_generations(const sweep::SearchSettings& search, std::uint64_t points, SearchLog& log);

}  // namespace pimsweep::driver
