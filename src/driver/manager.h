#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/progress.h"
#include "driver/work_pool.h"

namespace pimsweep {

/// How the evaluation of the pending points ended.
struct Outcome {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  /// The signal that stopped the run, or 0.
  int signal = 0;
  bool too_many_failures = false;
  /// Why a journal could not be written; empty if all could.
  std::string error;
  bool stopped() const { return signal != 0 || too_many_failures || !error.empty(); }
};

/// Rank 0's part: hands out ranges of points and hears what became of them. Alone, or with one or two workers, it also
/// evaluates points between two looks at the messages.
class Manager {
 public:
  /// Evaluates a grant on this rank for about as long as said.
  using Inline = std::function<Report(const std::vector<Range>&, std::chrono::milliseconds)>;

  Manager(Communicator& communicator, WorkPool pool, std::optional<std::uint64_t> max_failures, Progress& progress);

  /// Returns when every point is done, or the run was stopped and no grant is out any more. `evaluate` may be empty.
  Outcome run(const Inline& evaluate);

  /// Lets every worker close its journal and waits until all have; adds what went wrong to `outcome`.
  void close_journals(Outcome& outcome);

 private:
  void hear();
  void take_in(const Report& report, const std::vector<Range>& grant);
  void grant_to_idle();

  Communicator& communicator_;
  WorkPool pool_;
  std::optional<std::uint64_t> max_failures_;
  Progress& progress_;
  GrantSize size_;
  int evaluators_ = 1;
  /// What each rank has in hand; empty when it is idle.
  std::vector<std::vector<Range>> grants_;
  std::set<int> idle_;
  Outcome outcome_;
};

}  // namespace pimsweep
