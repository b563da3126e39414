#pragma once

#include <string>
#include <vector>

#include "base/config_folders.h"
#include "driver/run_options.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Runs an experiment on all ranks of this MPI launch, or, without one, on processes that it starts on this host:
/// evaluates the missing points and writes the results file. Prints problems (on rank 0 only) and returns the exit
/// status, which is equal on every rank. If ranks were lost, it does not return but ends the process with that status.
int run_sweep(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options);

/// Builds a results file from journals (files or folders), even while a run is still writing them: a point without a
/// result has status not_run. Needs no MPI. The experiment file is the one named in the newest journal, read in its
/// present state, with the studies of all journals. Prints a summary unless `is_quiet`. Returns exit_resumable if
/// points are missing. Throws InputError if there is no journal, if the output exists and `force` is not set, or if a
/// run is writing it, and OutputError if it cannot be written.
int merge_journals(const std::vector<std::string>& journals, const std::string& output, bool force, bool is_quiet,
                   const ConfigFolders& configs);

}  // namespace pimsweep::driver
