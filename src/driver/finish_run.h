#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/run.h"
#include "driver/run_options.h"
#include "driver/tally.h"

namespace pimsweep::driver {

/// Time for the results file after a signal: what a stop by one has left of the grace, but at least five seconds.
std::chrono::duration<double> grace_to_write(const RunLimits& limits, const Outcome& outcome);

/// Builds the results file after the evaluation, prints a summary and removes the journals of a complete run. Returns
/// the exit status. If the file cannot be written, the journals stay and the status is exit_output_error; if not in the
/// time that is left, exit_resumable. `mpi` names the MPI library, for the file's provenance.
int finish_run(Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
               const std::vector<WorkerInfo>& workers, int evaluators, const std::string& mpi);

}  // namespace pimsweep::driver
