#pragma once

#include <cstdint>

#include "search/design_problem.h"
#include "sweep/search_settings.h"

namespace pimsweep::search {

/// Looks for the best designs of a problem: asks for generations of `settings.population` designs until
/// `settings.points` are evaluated or no new design is found. Which designs it asks for depends on the settings but
/// `points`, and on the results so far: a larger budget continues a smaller one.
void run_search(const sweep::SearchSettings& settings, DesignProblem& problem);

}  // namespace pimsweep::search
