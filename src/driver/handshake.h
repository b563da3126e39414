#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "driver/communicator.h"
#include "driver/manager.h"
#include "driver/run.h"

namespace pimsweep::driver {

/// A worker's reply to the message `start`.
struct Ready {
  Hash128 plan;
  std::string host;
  std::int64_t pid = 0;
  /// Cores that its points may use.
  std::int32_t cores = 1;
  /// Why this rank cannot participate; empty if it can.
  std::string error;
  /// The exit status of that error.
  std::int32_t status = 0;
};

/// Why a run does not start.
struct StartProblems {
  std::set<std::string> messages;
  /// The lowest exit status of them: what the user must correct comes before what may be gone the next time.
  int status = 0;

  void add(std::string message, int exit_status);
};

std::string to_bytes(const Ready& ready);
Ready ready_from(std::string_view bytes);

/// Waits for the reply of every worker and fills in `workers`, which has an entry for each rank. Returns the problems
/// that keep the run from starting. A worker on this host whose process has ended, and one that does not reply within
/// ten times the limit of silence, are taken to have died before they could; their process stays 0. Returns at once
/// when a signal has come.
StartProblems collect_ready(Communicator& communicator, Run& run, std::vector<WorkerInfo>& workers);

}  // namespace pimsweep::driver
