#include "driver/tally.h"

#include <algorithm>

namespace pimsweep::driver {

Tally::Tally(const sweep::Plan& plan, const std::vector<std::uint64_t>& reused) {
  std::uint64_t end = 0;
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    studies_.push_back({plan.studies[study].size(), reused[study], 0});
    study_ends_.push_back(end += plan.studies[study].size());
  }
}

void Tally::add(const Grant& grant, const Report& report) {
  done_ += report.done;
  failed_ += report.failed;
  crashed_ += report.crashed;
  busy_seconds_ += report.seconds;
  std::uint64_t left = report.done;
  for (const Range& range : grant.ranges) {
    std::uint64_t begin = range.begin;
    const std::uint64_t end = range.begin + std::min(left, range.size());
    left -= end - begin;
    while (begin < end) {
      const auto study = static_cast<std::size_t>(std::upper_bound(study_ends_.begin(), study_ends_.end(), begin) -
                                                  study_ends_.begin());
      const std::uint64_t study_end = std::min(end, study_ends_[study]);
      studies_[study].done += study_end - begin;
      begin = study_end;
    }
  }
  constexpr std::size_t max_slowest = 5;
  if (report.longest_seconds <= 0 ||
      (slowest_.size() == max_slowest && report.longest_seconds <= slowest_.back().seconds))
    return;
  const SlowPoint slow{report.longest_seconds, report.longest_point};
  slowest_.insert(std::upper_bound(slowest_.begin(), slowest_.end(), slow,
                                   [](const SlowPoint& a, const SlowPoint& b) { return a.seconds > b.seconds; }),
                  slow);
  if (slowest_.size() > max_slowest) slowest_.pop_back();
}

}  // namespace pimsweep::driver
