#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pimsweep::results {

/// A metric that is to be small, or large.
struct Objective {
  std::string metric;
  bool maximise = false;
};

/// Which points compete, and in what.
struct RankingQuestion {
  std::vector<Objective> objectives;
  /// Axes whose values set apart points that do not compete with each other.
  std::vector<std::string> group_by;
  /// Empty: every study, each on its own.
  std::string study;
};

/// The chosen points of a group, and how many the group has.
struct RankedGroup {
  std::string study;
  /// One text for each axis of `group_by`.
  std::vector<std::string> group;
  /// Points that competed: those with a result and a number in every objective.
  std::uint64_t points = 0;
  /// Points that did not: infeasible, failed or not run; or without one of the numbers.
  std::uint64_t without_result = 0;
  std::uint64_t without_number = 0;
  /// Numbers of the chosen points in their study.
  std::vector<std::uint64_t> rows;
};

/// The Pareto front of each group, in the points' order: the points that no other one matches in every objective and
/// betters in one. Points that are equal in every objective are all in the front. Groups in the order of their first
/// point. Exact; memory is for the fronts alone. Throws InputError for names that a study lacks.
std::vector<RankedGroup> find_fronts(const std::string& results_file, const RankingQuestion& question);

/// The best `count` points of each group by the first objective, the best first; of equal ones, the first.
std::vector<RankedGroup> find_best(const std::string& results_file, const RankingQuestion& question, std::size_t count);

}  // namespace pimsweep::results
