#include "driver/driver.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "driver/communicator.h"
#include "driver/manager.h"
#include "driver/merge.h"
#include "driver/run.h"
#include "driver/stop_signal.h"
#include "driver/worker.h"

namespace pimsweep {

namespace {

/// From this many ranks on, rank 0 only manages.
constexpr int ranks_with_own_manager = 4;

/// A worker's answer to `start`.
struct Ready {
  Hash128 plan;
  std::string host;
  /// Why this rank cannot take part; empty if it can.
  std::string error;
};

std::string to_bytes(const Ready& ready) {
  std::string bytes;
  append_number(bytes, ready.plan.high);
  append_number(bytes, ready.plan.low);
  append_text(bytes, ready.host);
  append_text(bytes, ready.error);
  return bytes;
}

Ready ready_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Ready ready;
  ready.plan.high = reader.number<std::uint64_t>();
  ready.plan.low = reader.number<std::uint64_t>();
  ready.host = reader.text();
  ready.error = reader.text();
  return ready;
}

void send_to_workers(Communicator& communicator, Tag tag, std::string_view bytes) {
  for (int rank = 1; rank < communicator.size(); ++rank) communicator.send(rank, tag, bytes);
}

int finish(Communicator& communicator, int status) {
  std::string bytes;
  append_number(bytes, std::int32_t{status});
  send_to_workers(communicator, Tag::finish, bytes);
  return status;
}

/// Hears from every worker whether it can take part. Collects the hosts; returns what is wrong.
std::set<std::string> hear_ready(Communicator& communicator, const Hash128& plan, std::set<std::string>& hosts) {
  std::set<std::string> problems;
  for (int i = 1; i < communicator.size(); ++i) {
    const Message message = communicator.wait();
    const Ready ready = ready_from(message.bytes);
    hosts.insert(ready.host);
    if (!ready.error.empty()) {
      problems.insert(fmt::format("on host {}: {}", ready.host, ready.error));
    } else if (ready.plan != plan) {
      problems.insert(
          fmt::format("host {} reads another plan from the same file: are the files the same everywhere?", ready.host));
    }
  }
  return problems;
}

Provenance provenance_of(const Run& run, const RunOptions& options, const Outcome& outcome, int ranks,
                         const std::set<std::string>& hosts) {
  Provenance provenance{{"started", utc_text(run.started())},
                        {"finished", utc_text(std::time(nullptr))},
                        {"hosts", fmt::format("{}", fmt::join(hosts, " "))},
                        {"ranks", std::to_string(ranks)},
                        {"command_line", options.command_line},
                        {"mpi", Communicator::library()},
                        {"points_reused", std::to_string(run.reused_points())},
                        {"points_computed", std::to_string(outcome.done)}};
  for (std::size_t study = 0; study < run.plan().studies.size(); ++study) {
    provenance.emplace("points_reused_" + run.plan().studies[study].id(), std::to_string(run.reused()[study]));
  }
  return provenance;
}

/// Why the run stopped early with its journals kept, or empty.
std::string stop_reason(const Outcome& outcome) {
  if (!outcome.error.empty()) return outcome.error;
  if (outcome.signal != 0) return fmt::format("signal {} ({})", outcome.signal, strsignal(outcome.signal));
  return {};
}

/// Merges the journals and says how the run ended.
int conclude(Run& run, const RunOptions& options, const Outcome& outcome, int ranks,
             const std::set<std::string>& hosts) {
  const std::string reason = stop_reason(outcome);
  if (!reason.empty()) {
    fmt::print(stderr,
               "pimsweep: stopped early: {}\n{} of {} points are done and kept in {}: --resume goes on from there\n",
               reason, run.reused_points() + outcome.done, run.plan().size(), run.output().journals());
    return exit_resumable;
  }
  JournalIndex journals;
  for (const std::string& path : journal_files(run.output().journals())) journals.add(path);
  journals.build();
  MergeResult result;
  try {
    result = merge(run.plan(), run.evaluator(), journals, run.output().results(),
                   provenance_of(run, options, outcome, ranks, hosts));
  } catch (const std::exception& error) {
    fmt::print(stderr,
               "pimsweep: all points are evaluated, but writing '{}' fails: {}\nThe journals are kept in {}: --resume "
               "tries again\n",
               run.output().results(), error.what(), run.output().journals());
    return exit_resumable;
  }
  print_summary(run.plan(), result,
                fmt::format("{} reused, {} evaluated in {:.1f} s on {} rank{}", run.reused_points(), outcome.done,
                            run.seconds(), ranks, ranks == 1 ? "" : "s"),
                run.output().results());
  if (outcome.too_many_failures) {
    fmt::print(stderr, "pimsweep: stopped because {} points failed (--max-failures); --resume goes on from there\n",
               outcome.failed);
    return exit_some_failed;
  }
  if (result.counts[Status::not_run] > 0) {
    throw std::logic_error(fmt::format("{} points got lost", result.counts[Status::not_run]));
  }
  if (!options.keep_journals) run.output().remove_journals();
  return result.counts[Status::failed] > 0 ? exit_some_failed : exit_all_done;
}

int lead(Communicator& communicator, const std::string& experiment, const PlanOptions& plan_options,
         const RunOptions& options) {
  std::optional<Run> prepared;
  try {
    prepared.emplace(experiment, plan_options, options);
  } catch (const std::exception& error) {
    // Bad input, or a place that cannot be written: the user can mend both.
    fmt::print(stderr, "pimsweep: {}\n", error.what());
    send_to_workers(communicator, Tag::start, {});
    return exit_bad_input;
  }
  Run& run = *prepared;
  std::string start;
  append_text(start, run.output().journals());
  append_text(start, run.name());
  send_to_workers(communicator, Tag::start, start);

  std::set<std::string> hosts{Communicator::host()};
  std::set<std::string> problems = hear_ready(communicator, run.plan().hash(), hosts);
  std::unique_ptr<JournalWriter> journal;
  if (communicator.size() < ranks_with_own_manager) {
    try {
      journal = std::make_unique<JournalWriter>(OutputFiles::journal_path(run.output().journals(), run.name(), 0),
                                                journal_header(run.plan(), Communicator::host(), 0));
    } catch (const std::exception& error) {
      problems.insert(error.what());
    }
  }
  if (!problems.empty()) {
    for (const std::string& problem : problems) fmt::print(stderr, "pimsweep: {}\n", problem);
    run.output().abandon();
    return finish(communicator, exit_bad_input);
  }

  Manager::Inline evaluate;
  if (journal) {
    evaluate = [&](const std::vector<Range>& grant, std::chrono::milliseconds budget) {
      return evaluate_grant(grant, budget, run.evaluator(), *journal);
    };
  }
  Manager manager(communicator, run.pending(), options.max_failures, run.progress());
  Outcome outcome = manager.run(evaluate);
  manager.close_journals(outcome);
  try {
    if (journal) journal->close();
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return finish(communicator, conclude(run, options, outcome, communicator.size(), hosts));
}

int follow(Communicator& communicator, const std::string& experiment, const PlanOptions& plan_options) {
  const Message start = communicator.wait();
  if (start.bytes.empty()) return exit_bad_input;
  ByteReader reader(start.bytes);
  const std::string journals(reader.text());
  const std::string run(reader.text());

  Ready ready;
  ready.host = Communicator::host();
  std::optional<Plan> plan;
  std::optional<Evaluator> evaluator;
  std::optional<JournalWriter> journal;
  try {
    plan = load_plan(experiment, plan_options);
    evaluator.emplace(*plan);
    ready.plan = plan->hash();
    journal.emplace(OutputFiles::journal_path(journals, run, communicator.rank()),
                    journal_header(*plan, ready.host, communicator.rank()));
  } catch (const std::exception& error) {
    ready.error = error.what();
  }
  communicator.send(0, Tag::ready, to_bytes(ready));
  if (!ready.error.empty()) return ByteReader(communicator.wait().bytes).number<std::int32_t>();
  return work(communicator, *evaluator, *journal);
}

}  // namespace

int run_sweep(const std::string& experiment, const PlanOptions& plan_options, const RunOptions& options) {
  const StopSignal stop;
  Communicator communicator;
  try {
    if (communicator.rank() == 0) return lead(communicator, experiment, plan_options, options);
    return follow(communicator, experiment, plan_options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "pimsweep: internal error on rank {}: {}\n", communicator.rank(), error.what());
    if (communicator.size() > 1) communicator.abort(exit_internal_error);
    return exit_internal_error;
  }
}

int merge_journals(const std::vector<std::string>& journals, const std::string& output, const std::string& config_dir) {
  JournalIndex index;
  std::size_t files = 0;
  for (const std::string& source : journals) {
    for (const std::string& path : journal_files(source)) {
      index.add(path);
      ++files;
    }
  }
  index.build();
  for (const std::string& warning : index.warnings()) fmt::print(stderr, "pimsweep: warning: {}\n", warning);
  const JournalHeader* header = index.latest();
  if (header == nullptr) throw InputError(fmt::format("no journal in {}", fmt::join(journals, ", ")));
  const Plan plan = load_plan(header->experiment_file, {config_dir, header->studies, header->overrides});
  check_names(plan);
  if (plan.hash() != header->plan) {
    fmt::print(stderr, "pimsweep: warning: '{}' has changed since the run began: its points of today are merged\n",
               header->experiment_file);
  }
  Evaluator evaluator(plan);
  const MergeResult result =
      merge(plan, evaluator, index, output,
            {{"finished", utc_text(std::time(nullptr))}, {"merged_from", fmt::format("{}", fmt::join(journals, " "))}});
  print_summary(plan, result, fmt::format("merged from {} journal{}", files, files == 1 ? "" : "s"), output);
  if (result.counts[Status::not_run] > 0) return exit_resumable;
  return result.counts[Status::failed] > 0 ? exit_some_failed : exit_all_done;
}

}  // namespace pimsweep
