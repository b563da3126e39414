#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "results/journal.h"

namespace pimsweep::driver {

/// A place with results of points that may be this plan's, under whatever numbers: calls its argument for each.
using ResultSource = std::function<void(const std::function<void(const results::JournalEntry&)>&)>;

/// The results of a journal.
ResultSource results_of_journal(const std::string& path);

/// Finds results of the plan's missing points by content hash, of those whose status is `settled`. Calls `take` with
/// each result found, under its number in this plan, once for each point; adds those points to `done`. Memory stays
/// bounded: for plans of millions of missing points the sources are read several times.
void find_reusable(const std::vector<ResultSource>& sources, Evaluator& evaluator, PointSet& done,
                   const std::function<bool(systems::Status)>& settled,
                   const std::function<void(const results::JournalEntry&)>& take);

}  // namespace pimsweep::driver
