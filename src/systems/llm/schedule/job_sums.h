#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

/// Running sums over a job, from which bounds follow.
struct JobSums {
  JobSums() = default;
  JobSums(std::span<const Interval> of, std::span<const Resources> cliques);

  std::span<const Interval> job;
  /// The intervals that repeat a block: from `first` on, `period` each time, to before `last`.
  std::size_t first = 0;
  std::size_t period = 0;
  std::size_t last = 0;
  /// Starts of the intervals if the job never waits, then its length.
  std::vector<double> begin;
  /// By interval and clique: seconds that use the clique from there on, and seconds until the next that does.
  std::vector<double> load;
  std::vector<double> head;
  /// By clique: seconds after the last interval that uses it.
  std::vector<double> tail;

  std::size_t size() const { return job.size(); }
  double length() const { return begin.back(); }
};

/// A lower bound of the seconds that two jobs take from interval `i` of the one and `j` of the other on, with neither
/// started: the largest of what is left of either and, for each clique, what both use of it, with the shorter way to
/// its first use and from its last.
inline double remaining_bound(const JobSums& first, std::size_t i, const JobSums& second, std::size_t j) {
  double bound = std::max(first.length() - first.begin[i], second.length() - second.begin[j]);
  const std::size_t cliques = first.tail.size();
  for (std::size_t c = 0; c < cliques; ++c) {
    const std::size_t a = i * cliques + c;
    const std::size_t b = j * cliques + c;
    // If only one of them has something left, its own length says more.
    if (first.load[a] == 0 || second.load[b] == 0) continue;
    bound = std::max(bound, first.load[a] + second.load[b] + std::min(first.head[a], second.head[b]) +
                                std::min(first.tail[c], second.tail[c]));
  }
  return bound;
}

}  // namespace pimsweep::systems::llm::schedule
