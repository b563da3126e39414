#include "driver/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "driver/communicator.h"
#include "driver/crash_note.h"
#include "driver/journal_set.h"
#include "driver/local_worker.h"
#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/progress.h"
#include "driver/pulse.h"
#include "driver/run.h"
#include "driver/stop_signal.h"
#include "driver/summary.h"
#include "driver/worker.h"

namespace pimsweep::driver {

namespace {

/// A worker's answer to `start`.
struct Ready {
  Hash128 plan;
  std::string host;
  std::int64_t pid = 0;
  /// Why this rank cannot take part; empty if it can.
  std::string error;
};

std::string to_bytes(const Ready& ready) {
  std::string bytes;
  append_number(bytes, ready.plan.high);
  append_number(bytes, ready.plan.low);
  append_text(bytes, ready.host);
  append_number(bytes, ready.pid);
  append_text(bytes, ready.error);
  return bytes;
}

Ready ready_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Ready ready;
  ready.plan.high = reader.number<std::uint64_t>();
  ready.plan.low = reader.number<std::uint64_t>();
  ready.host = reader.text();
  ready.pid = reader.number<std::int64_t>();
  ready.error = reader.text();
  return ready;
}

/// A rank's journal and the threads and handlers around it.
struct Workplace {
  Workplace(const sweep::Plan& plan, Evaluator& evaluator, const std::string& journal_path, const std::string& host,
            int rank, const std::string& fault, Pulse::Beat beat)
      : journal(journal_path, journal_header(plan, host, rank)),
        note(journal, current),
        pulse(journal, current, std::move(beat)),
        runner(evaluator, journal, current, Fault(fault, rank)) {}
  results::JournalWriter journal;
  CurrentPoint current;
  CrashNote note;
  Pulse pulse;
  GrantRunner runner;
};

/// Hears from every worker whether it can take part, and where it sits. Returns what is wrong. Who says nothing for ten
/// times as long as a busy rank may be silent has no process: it died before it could speak.
std::set<std::string> hear_ready(Communicator& communicator, Run& run, std::vector<WorkerPlace>& workers) {
  std::set<std::string> problems;
  const auto until = std::chrono::steady_clock::now() + 10 * run.limits().silence;
  BackOff back_off;
  for (int heard = 1; heard < communicator.size() && std::chrono::steady_clock::now() < until;) {
    const auto message = communicator.poll();
    if (!message) {
      back_off.sleep();
      continue;
    }
    ++heard;
    const Ready ready = ready_from(message->bytes);
    workers[static_cast<std::size_t>(message->source)] = {
        ready.host, ready.pid, OutputFiles::journal_path(run.output().journals(), run.name(), message->source)};
    if (!ready.error.empty()) {
      problems.insert(fmt::format("on host {}: {}", ready.host, ready.error));
    } else if (ready.plan != run.plan().hash()) {
      problems.insert(
          fmt::format("host {} reads another plan from the same file: are the files the same everywhere?", ready.host));
    }
  }
  return problems;
}

results::Provenance provenance_of(const Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
                                  const std::vector<WorkerPlace>& workers) {
  std::set<std::string> hosts;
  for (const WorkerPlace& worker : workers) hosts.insert(worker.host);
  results::Provenance provenance{{"started", utc_text(run.started())},
                                 {"finished", utc_text(std::time(nullptr))},
                                 {"hosts", fmt::format("{}", fmt::join(hosts, " "))},
                                 {"ranks", std::to_string(workers.size())},
                                 {"command_line", options.command_line},
                                 {"mpi", Communicator::library()},
                                 {"points_reused", std::to_string(run.reused_points())},
                                 {"points_computed", std::to_string(tally.done())},
                                 {"evaluation_seconds", fmt::format("{:.6f}", outcome.seconds)}};
  if (!outcome.reason.empty()) provenance.emplace("stopped", outcome.reason);
  if (!outcome.lost.empty()) provenance.emplace("ranks_lost", fmt::format("{}", fmt::join(outcome.lost, "\n")));
  for (std::size_t study = 0; study < run.plan().studies.size(); ++study) {
    provenance.emplace("points_reused_" + run.plan().studies[study].id(), std::to_string(run.reused()[study]));
  }
  return provenance;
}

/// Builds the results file and says how the run ended.
int conclude(Run& run, const RunOptions& options, const Outcome& outcome, const Tally& tally,
             const std::vector<WorkerPlace>& workers, int evaluators) {
  const bool stopped = outcome.stop != Outcome::Stop::none;
  const std::string kept = fmt::format("{} of {} points are done and kept in {}: --resume goes on from there",
                                       run.reused_points() + tally.done(), run.plan().size(), run.output().journals());
  if (stopped) fmt::print(stderr, "pimsweep: stopped early: {}\n{}\n", outcome.reason, kept);
  MergeResult result;
  try {
    run.fill_cache();
    JournalSet journals(run.plan().hash());
    for (const std::string& path : results::journal_files(run.output().journals())) journals.add(path);
    result = merge(run.plan(), run.evaluator(), journals, run.output().results(),
                   provenance_of(run, options, outcome, tally, workers));
  } catch (const std::exception& error) {
    fmt::print(stderr, "pimsweep: writing '{}' fails: {}\n", run.output().results(), error.what());
    if (!stopped) fmt::print(stderr, "{}\n", kept);
    return exit_resumable;
  }
  print_result(run.plan(), result,
               fmt::format("{} reused, {} evaluated in {} on {} rank{}", run.reused_points(), tally.done(),
                           duration_text(run.seconds()), workers.size(), workers.size() == 1 ? "" : "s"),
               run.output().results());
  print_effort(run.plan(), tally, outcome, evaluators);
  if (!result.conflicts.empty()) return exit_internal_error;
  if (outcome.stop == Outcome::Stop::failures) return exit_some_failed;
  if (stopped) return exit_resumable;
  if (result.counts[systems::Status::not_run] > 0) {
    fmt::print(stderr, "pimsweep: {} points were lost with their machine: --resume evaluates them again\n",
               result.counts[systems::Status::not_run]);
    return exit_resumable;
  }
  if (!options.keep_journals) run.output().remove_journals();
  return result.counts[systems::Status::failed] + result.counts[systems::Status::crashed] > 0 ? exit_some_failed
                                                                                              : exit_all_done;
}

/// Ends this process without MPI's farewell, in which a lost rank would be waited for.
[[noreturn]] void leave_at_once(int status) {
  std::fflush(nullptr);
  ::_exit(status);
}

int lead(Communicator& communicator, const std::string& experiment, const sweep::PlanOptions& plan_options,
         const RunOptions& options) {
  const auto send_to_workers = [&](Tag tag, std::string_view bytes) {
    for (int rank = 1; rank < communicator.size(); ++rank) communicator.send(rank, tag, bytes);
  };
  const int evaluators = evaluators_of(communicator.size());
  std::optional<Run> prepared;
  std::optional<Progress> progress;
  try {
    prepared.emplace(experiment, plan_options, options);
    progress.emplace(options.progress, prepared->plan(), evaluators);
  } catch (const std::exception& error) {
    // Bad input, or a place that cannot be written: the user can mend both.
    fmt::print(stderr, "pimsweep: {}\n", error.what());
    if (prepared) prepared->output().abandon();
    send_to_workers(Tag::start, {});
    return exit_bad_input;
  }
  Run& run = *prepared;
  std::string start;
  append_text(start, run.output().journals());
  append_text(start, run.name());
  send_to_workers(Tag::start, start);

  std::vector<WorkerPlace> workers(static_cast<std::size_t>(communicator.size()));
  workers[0].host = Communicator::host();
  std::set<std::string> problems = hear_ready(communicator, run, workers);
  std::optional<Workplace> workplace;
  std::optional<LocalWorker> local;
  if (evaluators == communicator.size()) {
    try {
      workplace.emplace(run.plan(), run.evaluator(), OutputFiles::journal_path(run.output().journals(), run.name(), 0),
                        workers[0].host, 0, options.fault, Pulse::Beat{});
      local.emplace(workplace->runner);
    } catch (const std::exception& error) {
      problems.insert(error.what());
    }
  }
  if (!problems.empty()) {
    for (const std::string& problem : problems) fmt::print(stderr, "pimsweep: {}\n", problem);
    run.output().abandon();
    send_to_workers(Tag::finish, to_bytes(Farewell{exit_bad_input, false}));
    return exit_bad_input;
  }

  Tally tally(run.plan(), run.reused());
  RunLimits limits = run.limits();
  Manager manager(communicator, workers, local ? &*local : nullptr,
                  run.take_pending(evaluators, limits.expected_seconds), limits, tally, *progress);
  Outcome outcome = manager.run();
  manager.close_journals(outcome);
  try {
    if (workplace && !outcome.left_behind) workplace->journal.close();
  } catch (const std::exception& error) {
    outcome.stop = Outcome::Stop::journal;
    outcome.reason = error.what();
  }
  const int status = conclude(run, options, outcome, tally, workers, evaluators);
  if (outcome.left_behind && communicator.size() > 1) {
    // Nothing else ends a rank that does not listen. All journals but its own are closed.
    std::fflush(nullptr);
    communicator.abort(status);
  }
  manager.dismiss(outcome, status);
  if (!outcome.all_present) leave_at_once(status);
  return status;
}

int follow(Communicator& communicator, const std::string& experiment, const sweep::PlanOptions& plan_options,
           const RunOptions& options) {
  const Message start = communicator.wait();
  if (start.bytes.empty()) return exit_bad_input;
  ByteReader reader(start.bytes);
  const std::string journals(reader.text());
  const std::string run(reader.text());

  Ready ready;
  ready.host = Communicator::host();
  ready.pid = ::getpid();
  std::optional<sweep::Plan> plan;
  std::optional<Evaluator> evaluator;
  std::optional<Workplace> workplace;
  const auto beat = [&communicator](std::uint64_t point, double seconds) {
    std::string bytes;
    append_number(bytes, point);
    append_number(bytes, seconds);
    communicator.send(0, Tag::beat, bytes);
  };
  try {
    plan = sweep::load_plan(experiment, plan_options);
    evaluator.emplace(*plan);
    ready.plan = plan->hash();
    workplace.emplace(*plan, *evaluator, OutputFiles::journal_path(journals, run, communicator.rank()), ready.host,
                      communicator.rank(), options.fault, beat);
  } catch (const std::exception& error) {
    ready.error = error.what();
  }
  communicator.send(0, Tag::ready, to_bytes(ready));
  if (!ready.error.empty()) return farewell_from(communicator.wait().bytes).status;
  const Farewell farewell = work(communicator, workplace->runner, workplace->journal, workplace->pulse);
  if (farewell.leave_at_once) leave_at_once(farewell.status);
  return farewell.status;
}

}  // namespace

int run_sweep(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options) {
  const StopSignal stop;
  Communicator communicator;
  try {
    if (communicator.rank() == 0) return lead(communicator, experiment, plan_options, options);
    return follow(communicator, experiment, plan_options, options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "pimsweep: internal error on rank {}: {}\n", communicator.rank(), error.what());
    if (communicator.size() > 1) communicator.abort(exit_internal_error);
    return exit_internal_error;
  }
}

}  // namespace pimsweep::driver
