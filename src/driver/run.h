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

/// Everything that rank 0 settles before the others begin.
class Run {
 public:
  /// Reads the options and the plan, takes the output and, when resuming, finds out what is there already. Throws
  /// InputError for whatever the user can mend, std::system_error if the journals cannot be written.
  Run(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options);

  const sweep::Plan& plan() const { return plan_; }
  Evaluator& evaluator() { return *evaluator_; }
  OutputFiles& output() { return *output_; }
  const RunLimits& limits() const { return limits_; }
  /// The points to evaluate, for so many evaluators, and the seconds that they are expected to take in all (0 if nobody
  /// can tell). To be called once.
  WorkPool take_pending(int evaluators, double& expected_seconds);
  /// Points for each study that need no evaluation.
  const std::vector<std::uint64_t>& reused() const { return reused_; }
  std::uint64_t reused_points() const;
  /// Tells this run's journals from those of others.
  const std::string& name() const { return name_; }
  /// Seconds since 1970.
  std::int64_t started() const { return started_; }
  /// Since then.
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

/// How many ranks of a launch evaluate points: from four on, rank 0 only manages.
int evaluators_of(int ranks);

/// A little more than it takes to write the results file of so many points (docs/scaling.md).
double seconds_to_write(std::uint64_t points);

/// The first frame of this process' journal.
results::JournalHeader journal_header(const sweep::Plan& plan, const std::string& host, int rank);

}  // namespace pimsweep::driver
