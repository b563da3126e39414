#pragma once

#include <cstdint>
#include <vector>

#include "driver/grant.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Progress counters of a run.
class Tally {
 public:
  struct StudyCount {
    std::uint64_t total = 0;
    std::uint64_t reused = 0;
    std::uint64_t done = 0;
  };
  struct SlowPoint {
    double seconds = 0;
    std::uint64_t point = 0;
  };

  /// `reused` has, for each study, the number of points that need no evaluation.
  Tally(const sweep::Plan& plan, const std::vector<std::uint64_t>& reused);

  /// Sets the number of points of a search that have needed no evaluation so far.
  void set_reused(std::size_t study, std::uint64_t points) { studies_[study].reused = points; }
  /// Adds the outcome of a grant.
  void add(const Grant& grant, const Report& report);

  const std::vector<StudyCount>& studies() const { return studies_; }
  std::uint64_t done() const { return done_; }
  std::uint64_t failed() const { return failed_; }
  std::uint64_t crashed() const { return crashed_; }
  /// Time spent in grants, summed over ranks.
  double busy_seconds() const { return busy_seconds_; }
  /// The slowest points, slowest first, at most one per grant.
  const std::vector<SlowPoint>& slowest() const { return slowest_; }
  double longest_seconds() const { return slowest_.empty() ? 0.0 : slowest_.front().seconds; }

 private:
  std::vector<StudyCount> studies_;
  std::vector<std::uint64_t> study_ends_;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t crashed_ = 0;
  double busy_seconds_ = 0;
  std::vector<SlowPoint> slowest_;
};

}  // namespace pimsweep::driver
