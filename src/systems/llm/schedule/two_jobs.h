#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

/// When two jobs end that share resources: a job shop of two jobs, which is a shortest path in the plane of their
/// progress around rectangles in which both would use what excludes one another (Akers, A graphical approach to
/// production scheduling problems, Operations Research 1956). Only the rectangles that a path meets are looked at, in
/// the order of a lower bound (A*). Keeps its memory from call to call.
class TwoJobSolver {
 public:
  explicit TwoJobSolver(const Conflicts& conflicts) : conflicts_(conflicts), cliques_(conflicts.cliques()) {}

  /// The least makespan, exact, if it is below `cutoff`. Quickest if all times are multiples of one quantum
  /// (quantum.h), so that equal sums are equal. Throws PointError if the jobs have more than 2^26 pairs of intervals.
  std::optional<double> solve(std::span<const Interval> first, std::span<const Interval> second,
                              double cutoff = std::numeric_limits<double>::infinity());

  /// The largest of both lengths and, for each clique of resources, what both jobs use of it, with the shorter way to
  /// its first use and from its last.
  double lower_bound(std::span<const Interval> first, std::span<const Interval> second);

  /// Starts of the intervals of both jobs, of the last makespan that was found.
  std::array<std::vector<double>, 2> starts() const;

  /// Corners of rectangles that the last search visited.
  std::size_t visited() const { return visited_; }

 private:
  /// What is known of one job; times of all intervals, then of its end.
  struct Sums {
    std::span<const Interval> job;
    /// Starts without waiting.
    std::vector<double> begin;
    /// By interval and clique: seconds that use the clique from there on, and seconds to the next that does.
    std::vector<double> load;
    std::vector<double> head;
    /// By clique: seconds after the last interval that uses it.
    std::vector<double> tail;

    double length() const { return begin.back(); }
    std::size_t size() const { return job.size(); }
  };
  /// A point of the plane: both jobs are about to start an interval.
  struct Corner {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    bool operator==(const Corner&) const = default;
  };
  struct Cell {
    double seconds = 0;
    std::uint32_t search = 0;
    Corner from;
  };
  struct Open {
    double bound = 0;
    double seconds = 0;
    Corner corner;
  };

  static bool is_later(const Open& a, const Open& b);
  void prepare(Sums& sums, std::span<const Interval> job) const;
  Cell& cell(Corner corner) { return cells_[corner.first * (jobs_[1].size() + 1) + corner.second]; }
  const Cell& cell(Corner corner) const { return cells_[corner.first * (jobs_[1].size() + 1) + corner.second]; }
  double remaining(Corner corner) const;
  void expand(Corner corner, double seconds, double cutoff);
  void reach(Corner corner, Corner from, double seconds, double cutoff);

  Conflicts conflicts_;
  std::vector<Resources> cliques_;
  std::array<Sums, 2> jobs_;
  std::vector<Cell> cells_;
  std::vector<Open> open_;
  std::uint32_t search_ = 0;
  std::size_t visited_ = 0;
};

}  // namespace pimsweep::systems::llm::schedule
