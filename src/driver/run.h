#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/cache.h"
#include "driver/driver.h"
#include "driver/evaluator.h"
#include "driver/known_results.h"
#include "driver/manager.h"
#include "driver/output_files.h"
#include "driver/work_pool.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// State of a run that rank 0 sets up before the other ranks begin.
class Run {
 public:
  /// Reads the options and the plan, locks the output and, when resuming, finds existing results. Throws InputError for
  /// errors that the user can fix, std::system_error if the journals cannot be written.
  Run(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options);

  const sweep::Plan& plan() const { return plan_; }
  Evaluator& evaluator() { return *evaluator_; }
  OutputFiles& output() { return *output_; }
  const RunLimits& limits() const { return limits_; }
  /// The points to evaluate. Sets `expected_seconds` to their predicted total time (0 if unknown). May be called only
  /// once.
  WorkPool take_pending(int evaluators, double& expected_seconds);
  /// For each study, the number of points that need no evaluation.
  const std::vector<std::uint64_t>& reused() const { return reused_; }
  std::uint64_t reused_points() const;
  /// Unique name of the run, part of the names of its journals.
  const std::string& name() const { return name_; }
  /// Start time in seconds since 1970.
  std::int64_t started() const { return started_; }
  /// Seconds since the start.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start_).count();
  }
  /// Adds this run's results to the cache, if there is one.
  void fill_cache() const;

 private:
  void read_limits(const RunOptions& options);
  void find_done(const RunOptions& options);

  std::chrono::steady_clock::time_point clock_start_ = std::chrono::steady_clock::now();
  std::int64_t started_;
  RunLimits limits_;
  sweep::Plan plan_;
  std::string name_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Cache> cache_;
  std::unique_ptr<OutputFiles> output_;
  std::optional<KnownResults> known_;
  std::vector<std::uint64_t> reused_;
};

/// Number of ranks of a launch that evaluate points: from four ranks on, rank 0 only manages.
int evaluator_count(int ranks);

/// Upper estimate of the time to write a results file of `points` points (docs/scaling.md).
double seconds_to_write(std::uint64_t points);

/// Header of this process's journal.
results::JournalHeader journal_header(const sweep::Plan& plan, const std::string& host, int rank);

}  // namespace pimsweep::driver
