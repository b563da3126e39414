#include "driver/work_pool.h"

#include <algorithm>
#include <utility>

namespace pimsweep::driver {

std::uint64_t Grant::points() const {
  std::uint64_t points = 0;
  for (const Range& range : ranges) points += range.size();
  return points;
}

std::vector<Range> Grant::rest(std::uint64_t done) const {
  std::vector<Range> left;
  for (Range range : ranges) {
    const std::uint64_t skipped = std::min(done, range.size());
    done -= skipped;
    range.begin += skipped;
    if (range.size() > 0) left.push_back(range);
  }
  return left;
}

WorkPool::WorkPool(PointSet done) : taken_(std::move(done)), points_(taken_.size() - taken_.count()) {}

void WorkPool::add_long(const std::vector<LongPoint>& points) {
  for (const LongPoint& next : points) {
    if (is_taken(next.point)) continue;
    taken_.insert(next.point);
    long_.push_back(next);
  }
}

void WorkPool::add_suspects(const std::vector<Range>& ranges) {
  for (const Range& range : ranges) {
    for (std::uint64_t point = range.begin; point < range.end; ++point) {
      if (is_taken(point)) ++points_;
      taken_.insert(point);
      suspects_.push_back({point, point + 1});
    }
  }
}

Grant WorkPool::take_from(std::deque<Range>& queue, std::uint64_t points, std::size_t ranges, bool isolated) {
  Grant grant{{}, isolated};
  while (points > 0 && grant.ranges.size() < ranges && !queue.empty()) {
    Range& front = queue.front();
    const std::uint64_t count = std::min(points, front.size());
    grant.ranges.push_back({front.begin, front.begin + count});
    front.begin += count;
    points -= count;
    points_ -= count;
    if (front.size() == 0) queue.pop_front();
  }
  return grant;
}

Grant WorkPool::take(std::uint64_t points, std::size_t ranges) {
  if (!suspects_.empty()) return take_from(suspects_, 1, 1, true);
  if (!long_.empty()) {
    const std::uint64_t point = long_.front().point;
    long_.pop_front();
    --points_;
    return {{{point, point + 1}}, false};
  }
  if (!returned_.empty()) return take_from(returned_, points, ranges, false);
  Grant grant;
  while (points > 0 && grant.ranges.size() < ranges) {
    const std::uint64_t begin = taken_.next_absent(next_);
    next_ = taken_.next_present(begin, begin + std::min(points, taken_.size() - begin));
    if (next_ == begin) break;
    grant.ranges.push_back({begin, next_});
    points -= next_ - begin;
    points_ -= next_ - begin;
  }
  return grant;
}

void WorkPool::give_back(const Grant& grant, std::uint64_t done) {
  const std::vector<Range> left = grant.rest(done);
  for (const Range& range : left) points_ += range.size();
  std::deque<Range>& queue = grant.isolated ? suspects_ : returned_;
  queue.insert(queue.begin(), left.begin(), left.end());
}

void GrantSize::measured(std::uint64_t points, double seconds) {
  // Older measurements fade, because costs change along a plan: about the last ten of each evaluator count. Fewer would
  // give a biased mean, because evaluators that began together report in the order of their costs.
  const double decay = 1.0 - 0.1 / evaluators_;
  points_ = decay * points_ + static_cast<double>(points);
  seconds_ = decay * seconds_ + seconds;
}

double GrantSize::target_seconds() const {
  constexpr double usual_target = 0.03;
  // About four times the manager's cost of a message exchange over TCP.
  constexpr double per_evaluator = 30e-6;
  return std::max(usual_target, per_evaluator * evaluators_);
}

double GrantSize::seconds_for(std::uint64_t points) const {
  return points_ > 0 ? seconds_ / points_ * static_cast<double>(points) : 0.0;
}

std::uint64_t GrantSize::next(std::uint64_t remaining, int evaluators) const {
  const std::uint64_t share = std::max<std::uint64_t>(1, remaining / (2 * static_cast<std::uint64_t>(evaluators)));
  if (points_ <= 0) return 1;
  const double wanted = seconds_ > 0 ? target_seconds() * points_ / seconds_ : static_cast<double>(share);
  return wanted >= static_cast<double>(share) ? share : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
}

}  // namespace pimsweep::driver
