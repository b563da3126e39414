#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "systems/llm/schedule/job_sums.h"
#include "systems/llm/schedule/periodic_bound.h"

namespace pimsweep::systems::llm::schedule {

/// When two jobs end that share resources: a job shop of two jobs, which is a shortest path in the plane of their
/// progress around rectangles in which both would use what excludes one another (Akers, A graphical approach to
/// production scheduling problems, Operations Research 1956). Only the rectangles that a path meets are looked at, in
/// the order of a lower bound (A*). Keeps its memory from call to call.
class TwoJobSolver {
 public:
  explicit TwoJobSolver(const Conflicts& conflicts) : conflicts_(conflicts), cliques_(conflicts.cliques()) {}

  std::span<const Resources> cliques() const { return cliques_; }

  /// The least makespan, exact but for 1e-10 of it, if it is below `cutoff`. Quickest if all times are multiples of one
  /// quantum (quantum.h), so that equal sums are equal.
  std::optional<double> solve(std::span<const Interval> first, std::span<const Interval> second,
                              double cutoff = infinite);
  /// The same for sums over this solver's cliques, which must live until starts() has been asked; with a bound of the
  /// blocks that both repeat.
  std::optional<double> solve(const JobSums& first, const JobSums& second, double cutoff = infinite,
                              const PeriodicBound* repeated = nullptr);

  /// Starts of the intervals of both jobs, of the last makespan that was found.
  std::array<std::vector<double>, 2> starts() const;

  /// Corners of rectangles that the last search visited.
  std::size_t visited() const { return visited_; }

 private:
  /// A point of the plane: both jobs are about to start an interval.
  struct Corner {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    bool operator==(const Corner&) const = default;
  };
  /// A corner that was reached; those of the same first interval are a list.
  struct Node {
    Corner corner;
    double seconds = 0;
    std::uint32_t from = 0;
    std::uint32_t next = 0;
  };
  struct Open {
    /// In grains, whole.
    double bound = 0;
    double seconds = 0;
    std::uint32_t node = 0;
    /// Intervals of both jobs before it.
    std::uint32_t progress = 0;
  };

  static bool is_later(const Open& a, const Open& b);
  double remaining(Corner corner) const;
  void expand(std::uint32_t from, double cutoff);
  void reach(Corner corner, std::uint32_t from, double seconds, double cutoff);

  Conflicts conflicts_;
  std::vector<Resources> cliques_;
  std::array<JobSums, 2> own_sums_;
  const JobSums* first_ = nullptr;
  const JobSums* second_ = nullptr;
  const PeriodicBound* repeated_ = nullptr;
  /// Bounds in the same grain are equal.
  double grain_ = 1;
  std::vector<Node> nodes_;
  /// By first interval, the last node that was added.
  std::vector<std::uint32_t> rows_;
  std::vector<Open> open_;
  std::size_t visited_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace pimsweep::systems::llm::schedule
