#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pimsweep::results {

/// A metric to minimize or maximize.
struct Objective {
  std::string metric;
  bool maximize = false;
};

/// True if the point of a row competes.
using RowPredicate = std::function<bool(std::uint64_t row)>;

/// The points that compete, and their objectives.
struct RankingOptions {
  std::vector<Objective> objectives;
  /// Points with different values of these axes do not compete with each other.
  std::vector<std::string> group_by;
  /// Studies, each ranked separately; all if empty.
  std::vector<std::string> studies;
  /// Makes the predicate of a study, or throws InputError if the study lacks what it needs. None: all points compete.
  std::function<RowPredicate(const std::string& study)> filter{};
  /// True if sampled machines compete too, and not only that of the hardware file.
  bool drawn_machines = false;
};

/// The chosen points of a group, and the size of the group.
struct RankedGroup {
  std::string study;
  /// One text for each axis of `group_by`.
  std::vector<std::string> group;
  /// Points that competed: those with a result and a number in every objective.
  std::uint64_t points = 0;
  /// Points that did not compete: infeasible, failed or not run; or without one of the numbers.
  std::uint64_t without_result = 0;
  std::uint64_t without_number = 0;
  /// Numbers of the chosen points in their study.
  std::vector<std::uint64_t> rows;
};

/// The Pareto-optimal (non-dominated) points of each group, in the order of the points. Points that are equal in every
/// objective are all Pareto-optimal. Groups are in the order of their first point. Exact; memory is proportional to the
/// fronts. Throws InputError for names that a study lacks.
std::vector<RankedGroup> find_fronts(const std::string& results_file, const RankingOptions& request);

/// The best `count` points of each group by the first objective, the best first; of equal ones, the first.
std::vector<RankedGroup> find_best(const std::string& results_file, const RankingOptions& request, std::size_t count);

/// The best point of a study among those of all studies.
struct RankedStudy {
  std::string study;
  std::string system;
  std::uint64_t row = 0;
  /// Points of the study that competed.
  std::uint64_t points = 0;
  double value = 0;
};

/// Studies that compete for the same values of the axes `group_by`, the best first.
struct RankingAcross {
  std::vector<std::string> group;
  std::vector<RankedStudy> studies;
};

/// Ranks studies, of whatever systems, by the best point of each in the first objective. Studies without the metric, an
/// axis of `group_by` or what the filter needs are left out, with the reasons in `left_out`; InputError if that leaves
/// none.
std::vector<RankingAcross> rank_studies(const std::string& results_file, const RankingOptions& request,
                                        std::vector<std::string>& left_out);

}  // namespace pimsweep::results
