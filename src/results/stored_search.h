#pragma once

#include <string>
#include <vector>

#include "results/ranking.h"

namespace pimsweep::results {

/// Attributes of a study that is a search: metrics to minimize, to maximize, and axes of the recheck, each separated by
/// blanks; and the constraints, separated by line feeds.
inline constexpr auto search_min_attribute = "search_min";
inline constexpr auto search_max_attribute = "search_max";
inline constexpr auto search_recheck_attribute = "search_recheck";
inline constexpr auto search_constraints_attribute = "search_constraints";

/// Goals of a study's search.
struct StoredSearch {
  std::string study;
  std::vector<Objective> objectives;
  /// Axes with other values in the recheck.
  std::vector<std::string> recheck;
  bool has_constraints = false;
};

/// The searches among these studies of a file (all if `studies` is empty).
std::vector<StoredSearch> stored_searches(const std::string& results_file, const std::vector<std::string>& studies);

/// True if a point has a result that meets all constraints of its search.
RowPredicate feasible_points(const std::string& results_file, const std::string& study);

}  // namespace pimsweep::results
