#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "systems/llm/schedule/periodic_bound.h"
#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Excludes pairs of assignments for many sizes of two sub-batches at once. A makespan does not rise if intervals
/// become shorter; so the bound of two jobs of which each interval takes the least time of all sizes in a range holds
/// for each of these sizes. A pair begins with a single size; what is excluded is followed by a wider range.
class SizeRanges {
 public:
  /// Times are multiples of `quantum`. Each size by itself if not `grows`.
  SizeRanges(const StepProblem& problem, double quantum, bool grows)
      : problem_(problem), quantum_(quantum), growth_(grows ? widening : 1) {}

  /// True if no schedule is below `target` in which a sub-batch of `rows` rows, at most half of all, has assignment
  /// `first` and the remaining rows have `second`; false is inconclusive. Targets must not rise from call to call. Both
  /// blocks must take time.
  bool exclude(const Assignment& first, const Assignment& second, std::size_t rows, double target);
  /// After exclude() was false, that of the pair and its rows.
  PeriodicBound& bound() { return bound_; }

 private:
  /// A range that was excluded is followed by one of this many times the width, and the other way round.
  static constexpr std::size_t widening = 4;

  /// Rows `first` to before `last` of the smaller sub-batch.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  struct Pair {
    std::vector<Range> excluded;
    /// Rows of the next range that is tried.
    std::size_t width = 1;
    /// Rows of a range that was not excluded; no wider ones are tried.
    std::size_t too_wide = std::numeric_limits<std::size_t>::max();
  };

  std::uint32_t number(const Assignment& ways);
  bool is_excluded(const Assignment& first, const Assignment& second, Range range, double target);

  const StepProblem& problem_;
  double quantum_;
  std::size_t growth_;
  PeriodicBound bound_;
  std::map<Assignment, std::uint32_t> numbers_;
  /// By the numbers of both assignments.
  std::unordered_map<std::uint64_t, Pair> pairs_;
  Job first_block_;
  Job second_block_;
};

}  // namespace pimsweep::systems::llm::schedule
