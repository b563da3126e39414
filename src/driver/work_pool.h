#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "driver/point_set.h"

namespace pimsweep::driver {

/// Points begin to end - 1 of a plan.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Points to evaluate, in this order.
struct Grant {
  std::vector<Range> ranges;
  /// True if a point may kill its rank: each is then evaluated in a child process.
  bool isolated = false;

  std::uint64_t points() const;
  bool empty() const { return ranges.empty(); }
  /// The ranges that remain after the first `done` points.
  std::vector<Range> rest(std::uint64_t done) const;
};

/// A point with its predicted time.
struct LongPoint {
  std::uint64_t point = 0;
  double seconds = 0;
};

/// The points not yet granted. They are granted in this order: suspects that may kill a rank, long points, returned
/// points, then all others in the plan's order.
class WorkPool {
 public:
  /// Begins with all points of the plan except `done`.
  explicit WorkPool(PointSet done);

  /// Makes those of `points` that are not yet granted come first, one by one, in this order.
  void add_long(const std::vector<LongPoint>& points);
  /// Makes these points, granted before or not, come before all others, isolated.
  void add_suspects(const std::vector<Range>& ranges);
  /// Takes at most `points` points in at most `ranges` ranges.
  Grant take(std::uint64_t points, std::size_t ranges);
  /// Returns what remains of a grant after its first `done` points.
  void give_back(const Grant& grant, std::uint64_t done);

  std::uint64_t points() const { return points_; }
  bool empty() const { return points_ == 0; }
  /// True if the next point may kill its rank.
  bool is_suspect_next() const { return !suspects_.empty(); }
  /// Predicted time of the next point if it is a long one; otherwise 0.
  double next_long_seconds() const { return suspects_.empty() && !long_.empty() ? long_.front().seconds : 0.0; }

 private:
  Grant take_from(std::deque<Range>& queue, std::uint64_t points, std::size_t ranges, bool isolated);

  bool is_taken(std::uint64_t point) const { return point < next_ || taken_.contains(point); }

  /// All points before this one have been taken or were done.
  std::uint64_t next_ = 0;
  /// Points from next_ on that are done, taken, or in one of the queues.
  PointSet taken_;
  std::deque<Range> suspects_;
  std::deque<LongPoint> long_;
  std::deque<Range> returned_;
  std::uint64_t points_;
};

/// Guided self-scheduling: a grant has as many points as take about 30 ms at recently measured costs, but no more than
/// the remaining points divided by twice the number of evaluators, and one point until something has been measured.
/// From a thousand evaluators on, grants grow longer, so that one manager can serve them all (docs/scaling.md).
class GrantSize {
 public:
  explicit GrantSize(int evaluators = 1) : evaluators_(evaluators) {}

  void measured(std::uint64_t points, double seconds);
  std::uint64_t next(std::uint64_t remaining, int evaluators) const;
  /// Target time of a grant.
  double target_seconds() const;
  /// Predicted time of `points` points on one evaluator.
  double seconds_for(std::uint64_t points) const;

 private:
  int evaluators_;
  double points_ = 0;
  double seconds_ = 0;
};

}  // namespace pimsweep::driver
