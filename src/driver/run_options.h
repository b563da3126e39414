#pragma once

#include <functional>
#include <string>

namespace pimsweep::driver {

/// The exit statuses of `pimsweep` (docs/driver.md).
enum ExitStatus : int {
  exit_all_done = 0,
  exit_some_failed = 1,
  exit_bad_input = 2,
  exit_internal_error = 70,
  /// An output cannot be written, as on a full disk. The points of a run are in its journals: --resume continues it.
  exit_output_error = 74,
  /// Stopped early: --resume continues the run.
  exit_resumable = 75
};

struct RunOptions {
  /// Results file; empty means results/NAME.h5, by the name of the experiment, and results/NAME.shards/2-of-8.h5 for a
  /// shard.
  std::string output;
  /// Keep every point that is already in the results file or its journals.
  bool resume = false;
  /// Discard the existing output and its journals. Excludes `resume`.
  bool force = false;
  /// Re-evaluate points that crashed twice in an earlier run.
  bool retry_crashed = false;
  /// Keep the journals after the results file is complete.
  bool keep_journals = false;
  /// Print no summary: the caller reads the results file.
  bool is_quiet = false;
  /// Called on rank 0 at the end, with the results file, which a stopped run may not have written. Returns the exit
  /// status of a run that has succeeded.
  std::function<int(const std::string& results)> report;
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

}  // namespace pimsweep::driver
