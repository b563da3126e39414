#include "driver/work_pool.h"

#include <algorithm>

namespace pimsweep {

void WorkPool::add(Range range) {
  if (range.size() == 0) return;
  points_ += range.size();
  if (!ranges_.empty() && ranges_.back().end == range.begin) {
    ranges_.back().end = range.end;
  } else {
    ranges_.push_back(range);
  }
}

std::vector<Range> WorkPool::take(std::uint64_t points, std::size_t ranges) {
  std::vector<Range> taken;
  while (points > 0 && taken.size() < ranges && !ranges_.empty()) {
    Range& front = ranges_.front();
    const std::uint64_t count = std::min(points, front.size());
    taken.push_back({front.begin, front.begin + count});
    front.begin += count;
    points -= count;
    points_ -= count;
    if (front.size() == 0) ranges_.pop_front();
  }
  return taken;
}

void WorkPool::give_back(const std::vector<Range>& grant, std::uint64_t done) {
  std::vector<Range> left;
  for (Range range : grant) {
    const std::uint64_t skipped = std::min(done, range.size());
    done -= skipped;
    range.begin += skipped;
    if (range.size() > 0) left.push_back(range);
  }
  for (const Range& range : left) points_ += range.size();
  ranges_.insert(ranges_.begin(), left.begin(), left.end());
}

void GrantSize::measured(std::uint64_t points, double seconds) {
  // Older measurements fade: costs change along a plan.
  constexpr double memory = 0.9;
  points_ = memory * points_ + static_cast<double>(points);
  seconds_ = memory * seconds_ + seconds;
}

std::uint64_t GrantSize::next(std::uint64_t remaining, int evaluators) const {
  constexpr double target_seconds = 0.03;
  const std::uint64_t share = std::max<std::uint64_t>(1, remaining / (2 * static_cast<std::uint64_t>(evaluators)));
  if (points_ <= 0) return 1;
  const double wanted = seconds_ > 0 ? target_seconds * points_ / seconds_ : static_cast<double>(share);
  return wanted >= static_cast<double>(share) ? share : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
}

}  // namespace pimsweep
