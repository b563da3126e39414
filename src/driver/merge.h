#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/faults.h"
#include "driver/plan_view.h"
#include "driver/searches.h"
#include "journal/index.h"
#include "results/results_file.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Result of a merge.
struct MergeResult {
  StatusCounts counts;
  /// Messages of the first few failures and crashes.
  std::vector<std::string> failures;
  /// Points with two results that differ in any bit.
  std::vector<std::uint64_t> conflicts;
  std::string digest;
  /// Time taken to build the file.
  double seconds = 0;
};

/// Writes the results file of a plan from its journals. Memory use does not depend on the plan's size, but for the
/// places of the journals' frames. `searches` has done the searches of the plan, if it has any.
MergeResult merge(const sweep::Plan& plan, Evaluator& evaluator, const journal::Index& journals,
                  const std::string& output, const results::Provenance& provenance, const Searches* searches = nullptr,
                  Fault fault = {});

/// UTC time in the format 2030-01-31T12:00:00Z.
std::string utc_text(std::int64_t seconds_since_1970);

}  // namespace pimsweep::driver
