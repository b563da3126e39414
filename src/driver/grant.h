#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/evaluator.h"
#include "driver/work_pool.h"
#include "results/journal.h"

namespace pimsweep {

/// What became of a grant.
struct Report {
  /// Points from the front of the grant whose results the kernel has.
  std::uint64_t done = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t failed = 0;
  /// From the first point to the last byte handed over.
  double seconds = 0;
  /// The signal that this rank received, or 0.
  int signal = 0;
  /// Why the journal could not be written; empty if it could.
  std::string error;
};

std::string to_bytes(const std::vector<Range>& grant);
std::vector<Range> grant_from(std::string_view bytes);
std::string to_bytes(const Report& report);
Report report_from(std::string_view bytes);

/// Evaluates the points of a grant in order into the journal. Stops between two points when `budget` is used up or a
/// signal has come: the rest goes back to the manager. So a grant whose cost was misjudged holds nobody up for long.
Report evaluate_grant(const std::vector<Range>& grant, std::chrono::milliseconds budget, Evaluator& evaluator,
                      JournalWriter& journal);

}  // namespace pimsweep
