#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace pimsweep {

/// Points begin to end - 1 of a plan.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The points that nobody has yet: ranges in the plan's order.
class WorkPool {
 public:
  /// Adds a range behind all others.
  void add(Range range);
  /// Takes at most `points` points in at most `ranges` ranges from the front.
  std::vector<Range> take(std::uint64_t points, std::size_t ranges);
  /// Gives back what is left of a grant after its first `done` points; it comes out first again.
  void give_back(const std::vector<Range>& grant, std::uint64_t done);

  std::uint64_t points() const { return points_; }
  bool empty() const { return points_ == 0; }

 private:
  std::deque<Range> ranges_;
  std::uint64_t points_ = 0;
};

/// Guided grants: as many points as take about 30 ms by the costs measured lately, but never more than the rest
/// divided by twice the number of evaluators, and one point as long as nothing was measured.
class GrantSize {
 public:
  void measured(std::uint64_t points, double seconds);
  std::uint64_t next(std::uint64_t remaining, int evaluators) const;

 private:
  double points_ = 0;
  double seconds_ = 0;
};

}  // namespace pimsweep
