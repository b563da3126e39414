#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "driver/current_point.h"
#include "driver/evaluator.h"
#include "driver/faults.h"
#include "driver/work_pool.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

/// What became of a grant.
struct Report {
  /// Points from the front of the grant whose results the kernel has.
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t crashed = 0;
  /// From the first point to the last byte handed over.
  double seconds = 0;
  /// The point that took longest, and how long.
  std::uint64_t longest_point = 0;
  double longest_seconds = 0;
  /// The signal that this rank received, or 0.
  int signal = 0;
  /// Why the journal could not be written; empty if it could.
  std::string error;
};

/// A grant on its way to a rank.
struct Order {
  Grant grant;
  /// What an isolated point may take; 0: no limit.
  double limit_seconds = 0;
  /// When this is over, what is left goes back between two points.
  double budget_seconds = 0.1;
};

std::string to_bytes(const Order& order);
Order order_from(std::string_view bytes);
std::string to_bytes(const Report& report);
Report report_from(std::string_view bytes);

/// Evaluates grants into a journal.
class GrantRunner {
 public:
  /// All references must outlive the runner.
  GrantRunner(Evaluator& evaluator, results::JournalWriter& journal, CurrentPoint& current, Fault fault)
      : evaluator_(evaluator), journal_(journal), current_(current), fault_(fault) {}

  /// Evaluates the points in order. Stops between two points when the grant's budget is used up, or a signal has come:
  /// the rest goes back to the manager. So a grant whose cost was misjudged holds nobody up for longer than a point.
  Report run(const Order& order);

 private:
  using Clock = std::chrono::steady_clock;
  bool evaluate(std::uint64_t point, const Order& order);

  Evaluator& evaluator_;
  results::JournalWriter& journal_;
  CurrentPoint& current_;
  Fault fault_;
  results::JournalEntry entry_;
};

}  // namespace pimsweep::driver
