#pragma once

#include <cstdint>

#include "search/design_problem.h"
#include "sweep/search_settings.h"

namespace pimsweep::search {

/// Searches for the best designs of a problem: evaluates generations of `settings.population` designs until
/// `settings.points` have been evaluated or no new design is found. The designs depend on the settings except `points`,
/// and on previous results: a larger budget continues a smaller one.
void run_search(const sweep::SearchSettings& settings, DesignProblem& problem);

}  // namespace pimsweep::search
