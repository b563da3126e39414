#pragma once

#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/journal_index.h"
#include "driver/plan_view.h"
#include "results/results_file.h"
#include "sweep/plan.h"

namespace pimsweep {

/// What a merge found.
struct MergeResult {
  StatusCounts counts;
  /// What the first few failures said.
  std::vector<std::string> failures;
  std::string digest;
};

/// Writes the results file of a plan from what the journals hold. `journals` has been built.
MergeResult merge(const Plan& plan, Evaluator& evaluator, const JournalIndex& journals, const std::string& output,
                  const Provenance& provenance);

/// Prints the first few failures and, on stdout, how many points there are of each kind.
void print_summary(const Plan& plan, const MergeResult& result, const std::string& how, const std::string& output);

/// UTC as 2030-01-31T12:00:00Z.
std::string utc_text(std::int64_t seconds_since_1970);

}  // namespace pimsweep
