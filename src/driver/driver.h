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
  /// Stopped early: --resume goes on from there.
  exit_resumable = 75
};

struct RunOptions {
  /// Results file; empty means results/<experiment name>.h5.
  std::string output;
  /// Keep every point that the results file or its journals hold already.
  bool resume = false;
  /// Discard what the output and its journals hold. At most one of the two.
  bool force = false;
  /// Evaluate points again that killed their rank twice in an earlier run.
  bool retry_crashed = false;
  /// Keep the journals after the results file is complete.
  bool keep_journals = false;
  /// A folder in which experiments share results; empty: none.
  std::string cache;
  /// Stop when this many points have failed, or "none"; empty: a twentieth of the plan, at least 20.
  std::string max_failures;
  /// Stop in time to end within this; empty: no limit. The rest of a Slurm allocation is always respected.
  std::string time_limit;
  /// What points in flight get after a signal.
  std::string grace = "20 s";
  /// What a point may take; empty: twenty times the longest so far, at least ten minutes.
  std::string point_limit;
  /// bar, plain or none; without a terminal bar means plain.
  std::string progress = "bar";
  /// Recorded in the results file.
  std::string command_line;
  /// For tests: a fault to commit (driver/faults.h), and after how long a silent rank is lost.
  std::string fault;
  std::string silence = "30 s";
};

/// Runs an experiment on all ranks of this launch: opens and closes MPI, evaluates the points that are missing, writes
/// the results file. Prints problems (on rank 0 only) and returns the exit status, the same on every rank; where ranks
/// were lost it does not return, but ends the process with that status.
int run_sweep(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options);

/// Builds a results file from journals (files or folders), also while the run that writes them goes on: a point
/// without a result has status not_run. Without MPI. The experiment is the one that the journal begun last names, as
/// its file stands now, with the studies of all journals. Returns exit_resumable if points are missing. Throws
/// InputError if there is no journal, and std::runtime_error if the file cannot be written.
int merge_journals(const std::vector<std::string>& journals, const std::string& output, const std::string& config_dir);

}  // namespace pimsweep::driver
