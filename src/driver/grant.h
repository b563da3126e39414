#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "driver/current_point.h"
#include "driver/evaluator.h"
#include "driver/faults.h"
#include "driver/work_pool.h"
#include "journal/writer.h"

namespace pimsweep::driver {

/// Outcome of a grant.
struct Report {
  /// Points, from the front of the grant, whose results have been handed to the kernel.
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t crashed = 0;
  /// Time from the start of the first point until the journal was flushed.
  double seconds = 0;
  /// Bytes that the journal has grown by.
  std::uint64_t bytes = 0;
  /// The slowest point and its time.
  std::uint64_t longest_point = 0;
  double longest_seconds = 0;
  /// Signal that this rank received, or 0.
  int signal = 0;
  /// Error in writing the journal; empty if there was none.
  std::string error;
  /// Observations for searches from the results of the completed points, in order (driver/observation.h).
  std::string observations{};
};

/// A grant with its time limits, as sent to a rank.
struct Lease {
  Grant grant;
  /// Time limit of an isolated point; 0: no limit.
  double point_limit_seconds = 0;
  /// Once this time is used up, the rank returns the points that it has not begun.
  double budget_seconds = 0.1;
  /// Threads that the evaluation of a point may use, as far as other programs leave cores idle.
  unsigned threads = 1;
  /// The point of the product that each point of a search is, in the order of the grant.
  std::vector<std::uint64_t> chosen{};
};

/// Points of searches in a grant, for the lease of another rank.
std::vector<std::uint64_t> chosen_points(const sweep::Plan& plan, const Grant& grant);
/// Chooses these points here.
void choose_points(const sweep::Plan& plan, const Lease& lease);

std::string to_bytes(const Lease& lease);
Lease lease_from(std::string_view bytes);
std::string to_bytes(const Report& report);
Report report_from(std::string_view bytes);

/// Evaluates the points of grants and appends their results to a journal.
class GrantRunner {
 public:
  /// All references must outlive the runner.
  GrantRunner(Evaluator& evaluator, journal::Writer& journal, CurrentPoint& current, Fault fault)
      : evaluator_(evaluator), journal_(journal), current_(current), fault_(fault) {}

  /// Evaluates the points in order. Stops between two points when the lease's budget is used up or a signal has
  /// arrived; the remaining points return to the manager. So a grant of underestimated cost delays the run by no more
  /// than one point.
  Report run(const Lease& lease);

 private:
  using Clock = std::chrono::steady_clock;
  bool evaluate(std::uint64_t point, const Lease& lease);

  Evaluator& evaluator_;
  journal::Writer& journal_;
  CurrentPoint& current_;
  Fault fault_;
  journal::Entry entry_;
};

}  // namespace pimsweep::driver
