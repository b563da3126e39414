#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/point_set.h"
#include "journal/journal.h"

namespace pimsweep::driver {

/// A source of results that may belong to this plan's points, under any numbers: calls its argument for each result.
using ResultSource = std::function<void(const std::function<void(const journal::Entry&)>&)>;

/// All results of a journal.
ResultSource results_of_journal(const std::string& path);

/// The journals whose header can be read.
std::vector<std::string> readable_journals(const std::vector<std::string>& paths);

/// Finds results of the plan's missing points by content hash, among results whose status is `settled`. Calls `take`
/// once for each point found, with the result renumbered for this plan, and adds the point to `done`. Memory is
/// bounded: for plans with millions of missing points, the sources are read several times.
void find_reusable(const std::vector<ResultSource>& sources, Evaluator& evaluator, PointSet& done,
                   const std::function<bool(systems::Status)>& settled,
                   const std::function<void(const journal::Entry&)>& take);

}  // namespace pimsweep::driver
