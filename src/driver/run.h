#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/cache.h"
#include "driver/evaluator.h"
#include "driver/known_results.h"
#include "driver/manager.h"
#include "driver/output_files.h"
#include "driver/read_plan.h"
#include "driver/run_options.h"
#include "driver/searches.h"
#include "driver/work_pool.h"
#include "journal/writer.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// State of a run that rank 0 sets up before the other ranks begin.
class Run {
 public:
  /// Reads the options, locks the output and, when resuming, finds existing results. Throws InputError for errors that
  /// the user can fix, std::system_error if the journals cannot be written.
  Run(ReadPlan read, const RunOptions& options);

  const sweep::Plan& plan() const { return plan_; }
  Evaluator& evaluator() { return *evaluator_; }
  OutputFiles& output() { return *output_; }
  const RunLimits& limits() const { return limits_; }
  /// The points to evaluate. Sets `expected_seconds` to their predicted total time (0 if unknown). May be called only
  /// once.
  WorkPool take_pending(int evaluators, double& expected_seconds);
  /// The searches of the plan, with all results that exist already.
  Searches& searches() { return *searches_; }
  /// The points of a generation of a search.
  WorkPool pool_of(const std::vector<Range>& points, int evaluators);
  /// Copies what searches have reused to a journal of this plan, so that the merge finds it.
  void keep_reused_of_searches();
  /// For each study, the number of points that need no evaluation; of searches, of those that they have chosen.
  std::uint64_t reused(std::size_t study) const;
  std::vector<std::uint64_t> reused() const;
  std::uint64_t reused_points() const;
  /// Number of points that are left to evaluate; of searches, that they may choose.
  std::uint64_t missing_points() const { return plan_.size() - reused_points(); }
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
  void find_known_to_searches(const RunOptions& options);
  ResultLocations locations() const { return {output_->journals(), OutputFiles::reusable(output_->results()), cache_}; }
  /// Adds a result that was found elsewhere or under another number to a journal of this plan.
  void adopt(const journal::Entry& entry);

  std::chrono::steady_clock::time_point clock_start_;
  std::int64_t started_;
  RunLimits limits_;
  sweep::Plan plan_;
  std::string name_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Cache> cache_;
  std::unique_ptr<OutputFiles> output_;
  std::optional<KnownResults> known_;
  std::vector<std::uint64_t> reused_;
  std::unique_ptr<journal::Writer> adopted_;
  /// Evaluator of the searches: a point that runs past the grace still uses the other one.
  std::unique_ptr<Evaluator> search_evaluator_;
  std::unique_ptr<Searches> searches_;
  /// Points of searches that killed a rank in an earlier run.
  std::set<std::uint64_t> search_suspects_;
};

/// Number of ranks of a launch that evaluate points: from four ranks on, rank 0 only manages.
int evaluator_count(int ranks);

/// The smallest number of ranks of which `evaluators` evaluate points.
int ranks_for(int evaluators);

/// Header of this process's journal.
journal::Header journal_header(const sweep::Plan& plan, const std::string& host, int rank);

}  // namespace pimsweep::driver
