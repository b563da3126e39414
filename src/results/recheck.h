#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/ranking.h"

namespace pimsweep::results {

/// Change by a recheck of the order of the designs of a search's front in one objective.
struct RecheckedObjective {
  std::string metric;
  /// Kendall's tau of the values in the search and in the recheck: 1 if the order is the same, -1 if it is reversed.
  double tau = 0;
  /// Points of the search: the best design by the values of the search, and by those of the recheck.
  std::uint64_t best_of_search = 0;
  std::uint64_t best_of_recheck = 0;
  /// By how much, in the recheck, the best design of the search is worse than the best one, relative to the latter.
  double regret = 0;
};

/// Pareto front of a search, with the values of its recheck.
struct Recheck {
  /// Designs of the front that are feasible in the recheck too, and those of them that are Pareto-optimal there.
  std::uint64_t designs = 0;
  std::uint64_t stay = 0;
  std::vector<RecheckedObjective> objectives;
};

/// Empty if the study has no recheck, or no feasible design in it.
std::optional<Recheck> read_recheck(const std::string& results_file, const std::string& study,
                                    const std::vector<Objective>& objectives);

}  // namespace pimsweep::results
