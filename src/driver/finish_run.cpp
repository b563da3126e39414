#include "driver/finish_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

#include "base/message.h"
#include "base/plural.h"
#include "driver/process.h"
#include "driver/progress.h"
#include "driver/summary.h"
#include "journal/index.h"
#include "journal/reader.h"

namespace pimsweep::driver {

namespace {

results::Provenance provenance_of(const Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
                                  const std::vector<WorkerInfo>& workers, const std::string& mpi) {
  std::set<std::string> hosts;
  for (const WorkerInfo& worker : workers) hosts.insert(worker.host);
  results::Provenance provenance{{"started", utc_text(run.started())},
                                 {"finished", utc_text(std::time(nullptr))},
                                 {"hosts", fmt::format("{}", fmt::join(hosts, " "))},
                                 {"ranks", std::to_string(workers.size())},
                                 {"command_line", options.command_line},
                                 {"mpi", mpi},
                                 {"points_reused", std::to_string(run.reused_points())},
                                 {"points_computed", std::to_string(tally.done())},
                                 {"evaluation_seconds", fmt::format("{:.6f}", outcome.seconds)}};
  if (!outcome.reason.empty()) provenance.emplace("stopped", outcome.reason);
  if (!outcome.lost.empty()) provenance.emplace("ranks_lost", fmt::format("{}", fmt::join(outcome.lost, "\n")));
  for (std::size_t study = 0; study < run.plan().studies.size(); ++study) {
    provenance.emplace("points_reused_" + run.plan().studies[study].id(), std::to_string(run.reused(study)));
  }
  return provenance;
}

void remove_journals(OutputFiles& output) {
  const std::vector<std::string> left = output.remove_journals();
  if (left.empty()) return;
  print_warning("'{}' stays: it holds what is not pimsweep's or cannot be removed: {}", output.journals(),
                fmt::join(left, ", "));
}

/// Removes the journals of a complete run, unless another command needs them.
void end_journals(Run& run, const RunOptions& options) {
  if (run.plan().options.shard) {
    const std::string folder = std::filesystem::path(run.output().results()).parent_path().string();
    print_note("`pimsweep merge {0}/*.h5.journal --output FILE` joins the shards in '{0}'",
               folder.empty() ? "." : folder);
  } else if (!options.keep_journals) {
    remove_journals(run.output());
  }
}

}  // namespace

std::chrono::duration<double> grace_to_write(const RunLimits& limits, const Outcome& outcome) {
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds min_writing_time{5};
  const Seconds used = outcome.stop == Outcome::Stop::signal
                           ? Seconds(std::chrono::steady_clock::now() - outcome.stopped_at)
                           : Seconds(0);
  return std::max(limits.grace - used, min_writing_time);
}

namespace {

/// The exit status of a run that has stopped early.
int status_of_stop(Outcome::Stop stop) {
  switch (stop) {
    case Outcome::Stop::failures:
      return exit_some_failed;
    case Outcome::Stop::journal:
      return exit_output_error;
    default:
      return exit_resumable;
  }
}

MergeResult write_results(Run& run, const Outcome& outcome, const results::Provenance& provenance,
                          const std::string& fault) {
  run.output().require_no_new_file();
  run.keep_reused_of_searches();
  run.fill_cache();
  journal::Index journals(run.plan().hash());
  for (const std::string& path : journal::files_in(run.output().journals())) journals.add_closed(path);
  // A point of this rank that runs on past the grace still uses the run's evaluator.
  std::optional<Evaluator> other;
  Evaluator& evaluator = outcome.needs_abort ? other.emplace(run.plan()) : run.evaluator();
  return merge(run.plan(), evaluator, journals, run.output().results(), provenance, &run.searches(), Fault(fault, 0));
}

/// Throws if the results cannot be read back.
void print_results(Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
                   const MergeResult& result, std::size_t ranks, int evaluators) {
  const std::string& output = run.output().results();
  print_failures(run.plan(), result, output);
  if (!options.is_quiet) {
    print_result(run.plan(), result,
                 fmt::format("{} reused, {} evaluated in {} on {}", run.reused_points(), tally.done(),
                             duration_text(run.seconds()), count_of(ranks, "rank")),
                 output);
    print_effort(run.plan(), tally, outcome, evaluators);
  }
  results::trust_written(output);
  run.output().forget_old_journals();
  if (!options.is_quiet) print_answers(run.plan(), run.searches(), output);
}

/// Returns the exit status.
int write_run(Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
              const std::vector<WorkerInfo>& workers, int evaluators, const std::string& mpi) {
  const bool stopped = outcome.stop != Outcome::Stop::none;
  const std::string kept = fmt::format("{} of {} points are done and kept in {}: --resume continues from there",
                                       run.reused_points() + tally.done(), run.plan().size(), run.output().journals());
  if (stopped) print_warning("stopped early: {}\n{}", outcome.reason, kept);
  if (stopped && run.output().keeps_old_results()) {
    print_note(
        "'{}' keeps the previous results until the new ones are complete; `pimsweep merge --force` replaces them",
        run.output().results());
    return status_of_stop(outcome.stop);
  }
  const auto time_to_write =
      outcome.stop == Outcome::Stop::time ? run.limits().max_writing : grace_to_write(run.limits(), outcome);
  const bool is_hurried = outcome.stop == Outcome::Stop::time || outcome.stop == Outcome::Stop::signal;
  if (is_hurried && outcome.writing_seconds > time_to_write.count()) {
    print_note("no results file, which would take about {} to write: `pimsweep merge {} --output {}{}` writes it",
               duration_text(outcome.writing_seconds), run.output().journals(), run.output().results(),
               std::filesystem::exists(run.output().results()) ? " --force" : "");
    return exit_resumable;
  }
  MergeResult result;
  try {
    result = write_results(run, outcome, provenance_of(run, options, outcome, tally, workers, mpi), options.fault);
    print_results(run, options, outcome, tally, result, workers.size(), evaluators);
  } catch (const std::exception& error) {
    print_error("cannot write '{}': {}", run.output().results(), error.what());
    if (!stopped) print_note("{}", kept);
    return is_shortage(error) ? exit_resumable : exit_output_error;
  }
  if (!result.conflicts.empty()) return exit_internal_error;
  if (stopped) return status_of_stop(outcome.stop);
  if (result.counts[systems::Status::not_run] > 0) {
    print_warning("the results of {} points were lost with their host: --resume evaluates them again",
                  result.counts[systems::Status::not_run]);
    return exit_resumable;
  }
  end_journals(run, options);
  return exit_status_of(result.counts);
}

}  // namespace

int finish_run(Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
               const std::vector<WorkerInfo>& workers, int evaluators, const std::string& mpi) {
  const int status = write_run(run, options, outcome, tally, workers, evaluators, mpi);
  const int reported = options.report ? options.report(run.output().results()) : static_cast<int>(exit_all_done);
  return status == exit_all_done ? reported : status;
}

}  // namespace pimsweep::driver
