#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "sweep/misfits.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Start of a run, which needs no other rank.
struct ReadPlan {
  /// Start of the reading, in seconds since 1970 and on a monotonic clock.
  std::int64_t started = 0;
  std::chrono::steady_clock::time_point clock_start;
  sweep::Plan plan;
  /// Result of fits_at_start(), if already computed.
  std::optional<std::vector<sweep::StudyFit>> fits = {};
};

/// Reads an experiment. Throws InputError.
ReadPlan read_plan(const std::string& experiment, const sweep::PlanOptions& options);

/// Fit of the models of a plan, by so few combinations of a study that a run need not wait for the answer.
std::vector<sweep::StudyFit> fits_at_start(const sweep::Plan& plan);

/// Reads the plan of a launch in a thread of its own while MPI starts, which takes longer and computes little.
class PlanReader {
 public:
  /// `has_fits`: asks how the models fit too, which only rank 0 wants to know. All arguments must outlive the reader.
  PlanReader(const std::string& experiment, const sweep::PlanOptions& options, bool has_fits);

  /// Waits for the plan. Throws what its reading threw. May be called once.
  ReadPlan take() { return plan_.get(); }

 private:
  std::future<ReadPlan> plan_;
};

}  // namespace pimsweep::driver
