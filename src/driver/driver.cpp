#include "driver/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/slow_work.h"
#include "driver/crash_note.h"
#include "driver/finish_run.h"
#include "driver/handshake.h"
#include "driver/heartbeat.h"
#include "driver/launch.h"
#include "driver/local_communicator.h"
#include "driver/local_ranks.h"
#include "driver/local_worker.h"
#include "driver/manager.h"
#include "driver/manager_link.h"
#include "driver/mpi_communicator.h"
#include "driver/periodic_thread.h"
#include "driver/process.h"
#include "driver/progress.h"
#include "driver/read_plan.h"
#include "driver/run.h"
#include "driver/stop_signal.h"
#include "driver/time_limit.h"
#include "driver/worker.h"

namespace pimsweep::driver {

namespace {

/// State of a rank that evaluates points: its journal and the threads and handlers that use it.
struct EvaluationContext {
  EvaluationContext(const sweep::Plan& plan, Evaluator& evaluator, const std::string& journal_path,
                    const std::string& host, int rank, const std::string& fault, Heartbeat::Beat beat)
      : journal(journal_path, journal_header(plan, host, rank)),
        note(journal, current),
        heartbeat(journal, current, std::move(beat)),
        runner(evaluator, journal, current, Fault(fault, rank)) {}
  journal::Writer journal;
  CurrentPoint current;
  CrashNote note;
  Heartbeat heartbeat;
  GrantRunner runner;
};

/// Rank 0's own evaluation, in launches in which rank 0 does not only manage.
struct LocalEvaluation {
  LocalEvaluation(Run& run, const std::string& host, const std::string& fault)
      : context(run.plan(), run.evaluator(), OutputFiles::journal_path(run.output().journals(), run.name(), 0), host, 0,
                fault, Heartbeat::Beat{}),
        worker(context.runner) {}
  EvaluationContext context;
  LocalWorker worker;
};

using Seconds = std::chrono::duration<double>;

/// Ranks end within milliseconds of each other. Later one of them must have been lost.
constexpr auto finalize_patience = std::chrono::seconds(60);
/// Points have limits of their own.
constexpr Seconds no_limit{0};
/// Time that the other ranks get for the points in flight when the manager is gone.
constexpr Seconds max_grace_without_manager{5};

void send_to_workers(Communicator& communicator, Tag tag, std::string_view bytes) {
  for (int rank = 1; rank < communicator.size(); ++rank) communicator.send(rank, tag, bytes);
}

/// Evaluates the pending points, writes the results file and ends the workers. Returns the exit status.
int evaluate_and_finish(Communicator& communicator, ManagerPulse& pulse, Run& run, const RunOptions& options,
                        Progress& progress, const std::vector<WorkerInfo>& workers,
                        std::optional<LocalEvaluation>& local) {
  const int evaluators = evaluator_count(communicator.size());
  Tally tally(run.plan(), run.reused());
  RunLimits limits = run.limits();
  WorkPool pending = run.take_pending(evaluators, limits.expected_seconds);
  Manager manager(communicator, run.plan(), workers, local ? &local->worker : nullptr, limits, tally, progress,
                  [&](const Grant& grant, const Report& report) { run.searches().observe(grant, report); });
  Outcome outcome = manager.run(std::move(pending));
  run.searches().run([&](const std::vector<Range>& points) {
    for (std::size_t study = 0; study < run.plan().studies.size(); ++study) tally.set_reused(study, run.reused(study));
    outcome = manager.run(run.pool_of(points, evaluators));
  });
  progress.finish(tally);
  manager.close_journals(outcome);
  try {
    if (local && !outcome.needs_abort) local->context.journal.close();
  } catch (const std::exception& error) {
    outcome.stop = Outcome::Stop::journal;
    outcome.reason = error.what();
  }
  StopSignal::set_limit(grace_to_write(run.limits(), outcome));
  const int status = finish_run(run, options, outcome, tally, workers, evaluators, communicator.library());
  StopSignal::set_limit(no_limit);
  manager.add_losses(outcome);
  pulse.stop();
  if (outcome.needs_abort && communicator.size() > 1) {
    // Nothing else ends an unresponsive rank. All journals but its own are closed. Nobody is dismissed before: a
    // launcher that sees a rank leave without MPI_Finalize first ends the launch with a status of its own.
    std::fflush(nullptr);
    communicator.abort(status);
  }
  manager.dismiss(outcome, status);
  if (!outcome.can_finalize) exit_without_finalize(status);
  return status;
}

/// State that rank 0 sets up before the other ranks begin.
struct PreparedRun {
  /// `count_ranks` says on how many ranks the run will be.
  PreparedRun(ReadPlan plan, const RunOptions& options, const std::function<int(const Run&)>& count_ranks)
      : run(std::move(plan), options) {
    try {
      ranks = count_ranks(run);
      progress.emplace(options.progress, run.plan(), evaluator_count(ranks));
    } catch (...) {
      run.output().abandon();
      throw;
    }
  }
  Run run;
  int ranks = 1;
  std::optional<Progress> progress;
};

/// Threads, processes or memory that the system does not give: the run can go on elsewhere or later.
int report_shortage(const std::exception& error) {
  print_error("the system gives no more threads, processes or memory: {}", error.what());
  return exit_resumable;
}

/// The exit status of an error that keeps a run or a rank of it from starting.
int status_of(const std::exception& error) {
  if (is_shortage(error)) return exit_resumable;
  return is_output_error(error) ? exit_output_error : exit_bad_input;
}

/// Bad input or an output that cannot be written: the user can fix both.
int refuse(const std::exception& error) {
  if (is_shortage(error)) return report_shortage(error);
  print_error("{}", error.what());
  return status_of(error);
}

/// Ends a run that a signal stops before any point is evaluated.
int stop_before_start(Communicator& communicator, ManagerPulse& pulse, Run& run) {
  const int signal = StopSignal::received();
  print_warning("stopped early: signal {} ({}), before a point was evaluated", signal, strsignal(signal));
  run.output().abandon();
  pulse.stop();
  // Those that are not ready yet do not take a message.
  if (communicator.size() > 1) communicator.abort(exit_resumable);
  return exit_resumable;
}

/// Role of rank 0, once the run is set up.
int manage(Communicator& communicator, ManagerPulse& pulse, PreparedRun& prepared, const RunOptions& options) {
  Run& run = prepared.run;
  run.output().keep_alive();
  pulse.set_silence(run.limits().silence);
  std::string start;
  append_number(start, std::int32_t{exit_all_done});
  append_text(start, run.output().journals());
  append_text(start, run.name());
  append_number(start, run.limits().silence.count());
  append_number(start, run.limits().grace.count());
  send_to_workers(communicator, Tag::start, start);

  std::vector<WorkerInfo> workers(static_cast<std::size_t>(communicator.size()));
  workers[0].host = Communicator::host();
  workers[0].cores = cores_for_points(options.ranks);
  StartProblems problems = collect_ready(communicator, run, workers);
  if (StopSignal::received() != 0) return stop_before_start(communicator, pulse, run);
  std::optional<LocalEvaluation> local;
  try {
    if (evaluator_count(communicator.size()) == communicator.size()) local.emplace(run, workers[0].host, options.fault);
  } catch (const std::exception& error) {
    problems.add(error.what(), status_of(error));
  }
  if (!problems.messages.empty()) {
    for (const std::string& problem : problems.messages) print_error("{}", problem);
    run.output().abandon();
    pulse.stop();
    send_to_workers(communicator, Tag::finish, to_bytes(Finish{problems.status, false}));
    return problems.status;
  }
  StopSignal::set_limit(no_limit);
  return evaluate_and_finish(communicator, pulse, run, options, *prepared.progress, workers, local);
}

/// Role of rank 0 of an MPI launch.
int run_manager(Communicator& communicator, PlanReader& reader, const RunOptions& options) {
  ManagerPulse pulse(communicator);
  std::optional<PreparedRun> prepared;
  try {
    prepared.emplace(reader.take(), options, [&](const Run&) { return communicator.size(); });
  } catch (const std::exception& error) {
    pulse.stop();
    const int status = refuse(error);
    std::string refusal;
    append_number(refusal, std::int32_t{status});
    send_to_workers(communicator, Tag::start, refusal);
    return status;
  }
  return manage(communicator, pulse, *prepared, options);
}

/// Ends a launch whose manager is gone, which mpirun does not do under --enable-recovery. What ranks have done is in
/// their journals.
[[noreturn]] void leave_without_manager(Communicator& communicator) {
  print_error("rank {} on {} stops: the manager, rank 0, is gone; --resume continues from the journals",
              communicator.rank(), Communicator::host());
  std::fflush(nullptr);
  if (!end_launcher()) communicator.abort(exit_resumable);
  exit_without_finalize(exit_resumable);
}

/// Once a second, also in a long point: says that this worker is there, and looks for the manager. If that is gone, the
/// point gets the time that it would get after a signal.
void worker_beat(Communicator& communicator, ManagerLink& manager, Seconds grace, const CurrentPoint& current) {
  manager.listen();
  if (const auto lost = manager.lost_for()) {
    StopSignal::request();
    if (*lost > std::min(grace, max_grace_without_manager)) leave_without_manager(communicator);
  } else if (current.inside()) {
    std::string bytes;
    append_number(bytes, current.point());
    append_number(bytes, current.seconds());
    communicator.send(0, Tag::heartbeat, bytes);
  }
}

/// A worker's plan and evaluator.
struct WorkerPlan {
  const sweep::Plan* plan;
  Evaluator* evaluator;
};

/// Evaluates what the manager grants. `get_plan` may throw what keeps this rank from taking part. Throws ManagerLost.
int follow_manager(Communicator& communicator, ManagerLink& manager, const std::function<WorkerPlan()>& get_plan,
                   const RunOptions& options) {
  const Message start = manager.wait();
  ByteReader reader(start.bytes);
  if (const auto refused = reader.number<std::int32_t>(); refused != exit_all_done) return refused;
  const std::string journals(reader.text());
  const std::string run(reader.text());
  manager.set_silence(Seconds(reader.number<double>()));
  const Seconds grace(reader.number<double>());

  Ready ready;
  ready.host = Communicator::host();
  ready.pid = ::getpid();
  ready.cores = cores_for_points(options.ranks);
  WorkerPlan own{};
  std::optional<EvaluationContext> context;
  try {
    own = get_plan();
    ready.plan = own.plan->hash();
    context.emplace(*own.plan, *own.evaluator, OutputFiles::journal_path(journals, run, communicator.rank()),
                    ready.host, communicator.rank(), options.fault,
                    [&, grace](const CurrentPoint& current) { worker_beat(communicator, manager, grace, current); });
  } catch (const std::exception& error) {
    ready.error = error.what();
    ready.status = status_of(error);
  }
  communicator.send(0, Tag::ready, to_bytes(ready));
  if (!ready.error.empty()) return finish_from(manager.wait().bytes).status;
  StopSignal::set_limit(no_limit);
  const Finish finish =
      serve_grants(communicator, manager, *own.plan, context->runner, context->journal, context->heartbeat);
  if (finish.exit_without_finalize) exit_without_finalize(finish.status);
  return finish.status;
}

/// Role of every other rank.
int run_worker(Communicator& communicator, const std::function<WorkerPlan()>& get_plan, const RunOptions& options) {
  ManagerLink manager(communicator);
  try {
    return follow_manager(communicator, manager, get_plan, options);
  } catch (const ManagerLost&) {
    // Others may have points in flight.
    std::this_thread::sleep_for(max_grace_without_manager);
    leave_without_manager(communicator);
  }
}

/// Time in which MPI must have started, if no rank was lost.
Seconds start_patience(int ranks) {
  constexpr Seconds of_a_rank{0.3};
  return std::clamp<Seconds>(ranks * of_a_rank, Seconds(30), Seconds(300));
}

/// Role of every other rank of an MPI launch, which reads the experiment itself.
int run_worker_that_reads(Communicator& communicator, PlanReader& reader, const RunOptions& options) {
  std::optional<sweep::Plan> plan;
  std::optional<Evaluator> evaluator;
  {
    // If rank 0 ended while the others started, no connection to it can be made, and MPI waits forever.
    const PeriodicThread guard(start_patience(communicator.size()), [&] { leave_without_manager(communicator); });
    communicator.send(0, Tag::alive, to_bytes(own_place()));
  }
  return run_worker(
      communicator,
      [&] {
        plan = reader.take().plan;
        evaluator.emplace(*plan);
        return WorkerPlan{&*plan, &*evaluator};
      },
      options);
}

/// Plays a rank's part and waits for the others. An error in it ends all ranks.
int play(Communicator& communicator, const std::function<int()>& part) {
  try {
    const int status = part();
    communicator.finalize(finalize_patience, status);
    return status;
  } catch (const std::exception& error) {
    int status = exit_internal_error;
    if (is_shortage(error))
      status = report_shortage(error);
    else
      print_error("internal, on rank {}: {}", communicator.rank(), error.what());
    if (communicator.size() > 1) communicator.abort(status);
    communicator.finalize(finalize_patience, status);
    return status;
  }
}

int run_with_mpi(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options) {
  if (!is_first_rank()) SlowWork::be_silent();
  PlanReader reader(experiment, plan_options, is_first_rank());
  std::optional<MpiCommunicator> communicator;
  try {
    communicator.emplace(start_patience(launched_processes()));
  } catch (const InputError& error) {
    // All ranks find the same; the first one says it.
    return is_first_rank() ? refuse(error) : static_cast<int>(exit_bad_input);
  }
  const auto role = communicator->rank() == 0 ? run_manager : run_worker_that_reads;
  return play(*communicator, [&] { return role(*communicator, reader, options); });
}

/// On processes of this host, which are forked once the plan is read: they share its memory.
int run_locally(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options) {
  std::optional<PreparedRun> prepared;
  std::optional<LocalCommunicator> communicator;
  try {
    // Before anything of an earlier run is touched.
    allowed_local_ranks(options.ranks);
    prepared.emplace(read_plan(experiment, plan_options), options,
                     [&](const Run& run) { return local_ranks(options.ranks, run.missing_points()); });
    try {
      communicator.emplace(prepared->ranks);
    } catch (...) {
      prepared->run.output().abandon();
      throw;
    }
  } catch (const std::exception& error) {
    return refuse(error);
  }
  if (communicator->rank() != 0) {
    prepared->run.output().leave_lock_to_parent();
    const auto inherit = [&] { return WorkerPlan{&prepared->run.plan(), &prepared->run.evaluator()}; };
    exit_without_finalize(play(*communicator, [&] { return run_worker(*communicator, inherit, options); }));
  }
  return play(*communicator, [&] {
    ManagerPulse pulse(*communicator);
    return manage(*communicator, pulse, *prepared, options);
  });
}

/// A mistake in it is reported with the others.
Seconds grace_of(const RunOptions& options) {
  try {
    return Seconds(parse_duration(options.grace, "--grace"));
  } catch (const InputError&) {
    return Seconds(parse_duration(RunOptions().grace, "--grace"));
  }
}

}  // namespace

int run_sweep(const std::string& experiment, const sweep::PlanOptions& plan_options, const RunOptions& options) {
  const StopSignal stop;
  StopSignal::set_limit(grace_of(options));
  const auto run = is_mpi_launch() ? run_with_mpi : run_locally;
  return run(experiment, plan_options, options);
}

}  // namespace pimsweep::driver
