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

/// Points to evaluate in this order.
struct Grant {
  std::vector<Range> ranges;
  /// One of the points may kill its rank: each is evaluated in a process of its own.
  bool isolated = false;

  std::uint64_t points() const;
  bool empty() const { return ranges.empty(); }
  /// What is left after the first `done` points.
  std::vector<Range> rest(std::uint64_t done) const;
};

/// A point that is expected to take this long.
struct LongPoint {
  std::uint64_t point = 0;
  double seconds = 0;
};

/// The points that nobody has yet. They come out in this order: those that may kill a rank, those named as long, those
/// given back, then all others as the plan has them.
class WorkPool {
 public:
  /// All points of the plan but those that are done.
  explicit WorkPool(PointSet done);

  /// These, of those that nobody has yet, come out first and one by one, in this order.
  void add_long(const std::vector<LongPoint>& points);
  /// These, taken before or not, come out first of all and isolated.
  void add_suspects(const std::vector<Range>& ranges);
  /// Takes at most `points` points in at most `ranges` ranges.
  Grant take(std::uint64_t points, std::size_t ranges);
  /// Gives back what is left of a grant after its first `done` points.
  void give_back(const Grant& grant, std::uint64_t done);

  std::uint64_t points() const { return points_; }
  bool empty() const { return points_ == 0; }
  /// True if the next point to come out may kill its rank.
  bool is_suspect_next() const { return !suspects_.empty(); }
  /// What the next point to come out is expected to take, if it is a long one; else 0.
  double next_long_seconds() const { return suspects_.empty() && !long_.empty() ? long_.front().seconds : 0.0; }

 private:
  Grant take_from(std::deque<Range>& queue, std::uint64_t points, std::size_t ranges, bool isolated);

  bool is_taken(std::uint64_t point) const { return point < next_ || taken_.contains(point); }

  /// All before this have been taken or were done.
  std::uint64_t next_ = 0;
  /// Of those behind: done, taken, or in one of the queues.
  PointSet taken_;
  std::deque<Range> suspects_;
  std::deque<LongPoint> long_;
  std::deque<Range> returned_;
  std::uint64_t points_;
};

/// Guided grants: as many points as take about 30 ms by the costs measured lately, but never more than the rest
/// divided by twice the number of evaluators, and one point as long as nothing was measured. From a thousand evaluators
/// on grants grow longer, so that one manager can serve them all (docs/scaling.md).
class GrantSize {
 public:
  explicit GrantSize(int evaluators = 1) : evaluators_(evaluators) {}

  void measured(std::uint64_t points, double seconds);
  std::uint64_t next(std::uint64_t remaining, int evaluators) const;
  /// What a grant is meant to take.
  double target_seconds() const;
  /// What so many points will take one evaluator.
  double seconds_for(std::uint64_t points) const;

 private:
  int evaluators_;
  double points_ = 0;
  double seconds_ = 0;
};

}  // namespace pimsweep::driver
