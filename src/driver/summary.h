#pragma once

#include <string>

#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/run_options.h"
#include "driver/searches.h"
#include "driver/tally.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Prints the first few failures and the nondeterministic points to stderr.
void print_failures(const sweep::Plan& plan, const MergeResult& result, const std::string& output);

/// Prints the number of points of each status to stdout. `how` describes where the results come from.
void print_result(const sweep::Plan& plan, const MergeResult& result, const std::string& how,
                  const std::string& output);

/// Prints the throughput, the utilization of the ranks and the slowest points, and a note where mpirun did not pay.
void print_effort(const sweep::Plan& plan, const Tally& tally, const Outcome& outcome, int evaluators);

/// Prints the main result of each study of a results file, in up to five lines.
void print_answers(const sweep::Plan& plan, const Searches& searches, const std::string& output);

/// Exit status of a run or results file with these counts.
ExitStatus exit_status_of(const StatusCounts& counts);

}  // namespace pimsweep::driver
