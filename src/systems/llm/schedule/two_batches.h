#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Two sub-batches that take turns on the resources.
struct TwoBatchSchedule {
  /// Infinite if nothing below the cutoff was found; then only the bound is set.
  double seconds = infinite;
  /// Lower bound from the relaxation that considers only loads and lengths (relaxation.h): no two sub-batches of any
  /// sizes and assignments are faster. Infinite if no two can run.
  double lower_bound = infinite;
  /// True if no other sizes and assignments are faster by more than 1e-9 of the time or, if nothing was found, below
  /// the cutoff.
  bool proven = true;
  std::array<std::size_t, 2> rows{};
  std::array<Assignment, 2> assignments;
  /// Intervals of all blocks, and their starts.
  std::array<Job, 2> jobs;
  std::array<std::vector<double>, 2> starts;
};

struct TwoBatchLimits {
  /// Only schedules below are of interest.
  double cutoff = infinite;
  /// Corners that all searches for two jobs together may visit, and assignments of a sub-batch that may be compared.
  std::size_t max_corners = 1'000'000;
  std::size_t max_assignments = 4096;
  /// True to exclude pairs of assignments for many sizes at once: the same optimum, usually faster.
  bool has_ranges = true;
};

/// The best of all sizes r + s = rows, both at least 1, and of all assignments of either sub-batch that repeat in each
/// block: branch and bound over sizes and assignments, with the exact makespan of two jobs (two_jobs.h) at its leaves.
/// Exact unless a limit is met. Throws PointError where validate() does.
TwoBatchSchedule solve_two_batches(const StepProblem& problem, const TwoBatchLimits& limits = {});

}  // namespace pimsweep::systems::llm::schedule
