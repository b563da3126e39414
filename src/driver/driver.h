#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/version.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// The exit statuses of `pimsweep` (docs/driver.md).
enum ExitStatus : int {
  exit_all_done = 0,
  exit_some_failed = 1,
  exit_bad_input = 2,
  exit_internal_error = 70,
  exit_output_error = 74,
  /// Stopped early: --resume continues the run.
  exit_resumable = 75
};

struct RunOptions {
  /// Results file; empty means results/NAME.h5, by the name of the experiment.
  std::string output;
  /// Keep every point that is already in the results file or its journals.
  bool resume = false;
  /// Discard the existing output and its journals. Excludes `resume`.
  bool force = false;
  /// Re-evaluate points that crashed twice in an earlier run.
  bool retry_crashed = false;
  /// Keep the journals after the results file is complete.
  bool keep_journals = false;
  /// Folder through which experiments share results; empty: none.
  std::string cache;
  /// Number of failed points that stops the run, or "none"; empty: 5 % of the plan, at least 20.
  std::string max_failures;
  /// Stop early enough to finish within this time; empty: no limit. The end of a Slurm allocation is always respected.
  std::string time_limit;
  /// Time that in-flight points may run after a signal.
  std::string grace = "20 s";
  /// Time limit of a point; empty: 20 times the longest so far, at least 10 minutes.
  std::string point_limit;
  /// bar, plain or none; bar falls back to plain without a terminal.
  std::string progress = "bar";
  /// Number of ranks of a run without an MPI launcher; 0: local_ranks() decides.
  int ranks = 0;
  /// Recorded in the results file.
  std::string command_line;
  /// For tests: the fault to inject (driver/faults.h), and the silence after which a rank counts as lost.
  std::string fault;
  std::string silence = "30 s";
};

/// Runs an experiment on all ranks of this MPI launch, or, without one, on processes that it starts on this host:
/// evaluates the missing points and writes the results file. Prints problems (on rank 0 only) and returns the exit
/// status, which is equal on every rank. If ranks were lost, it does not return but ends the process with that status.
int run_sweep(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options);

/// Builds a results file from journals (files or folders), even while a run is still writing them: a point without a
/// result has status not_run. Needs no MPI. The experiment file is the one named in the newest journal, read in its
/// present state, with the studies of all journals. Returns exit_resumable if points are missing. Throws InputError if
/// there is no journal, if the output exists and `force` is not set, or if a run is writing it, and OutputError if it
/// cannot be written.
int merge_journals(const std::vector<std::string>& journals, const std::string& output, bool force,
                   const ConfigFolders& configs);

}  // namespace pimsweep::driver
