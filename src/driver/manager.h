#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/host_cores.h"
#include "driver/local_worker.h"
#include "driver/progress.h"
#include "driver/roster.h"
#include "driver/tally.h"
#include "driver/work_pool.h"

namespace pimsweep::driver {

/// Limits of a run.
struct RunLimits {
  using Clock = std::chrono::steady_clock;
  /// Time by which the results file must be written.
  std::optional<Clock::time_point> deadline;
  /// Time that the results file may take of it. A file that takes longer is left to `pimsweep merge`, and all of the
  /// time goes to points.
  std::chrono::duration<double> max_writing{0};
  /// Content of the final file: the plan's points, and the bytes of the existing journals.
  std::uint64_t points = 0;
  std::uint64_t journal_bytes = 0;
  /// Time that in-flight points may run after a signal.
  std::chrono::duration<double> grace{20};
  /// Silence after which a busy rank counts as lost; only time during which the manager was listening counts.
  std::chrono::duration<double> silence{30};
  /// Time limit of a point; by default 20 times the longest one so far, at least 10 minutes.
  std::optional<double> point_seconds;
  /// Predicted time of all points together; 0 if unknown.
  double expected_seconds = 0;
  /// Number of failed points that ends the run.
  std::uint64_t failures = ~std::uint64_t{0};
};

/// Upper estimate of the time to write the results file of so many points, of which the journals have so many bytes
/// (docs/scaling.md).
double seconds_to_write(std::uint64_t points, std::uint64_t journal_bytes);

/// Host, process, journal and cores of a worker.
struct WorkerInfo {
  std::string host;
  /// 0 if the worker never reported.
  std::int64_t pid = 0;
  std::string journal;
  /// Cores of the host that its points may use.
  int cores = 1;
};

/// Outcome of the evaluation of the pending points.
struct Outcome {
  enum class Stop : std::uint8_t { none, signal, time, failures, journal, ranks };
  Stop stop = Stop::none;
  /// Why the run stopped early, for the user; empty if it did not.
  std::string reason;
  /// One message for each lost rank.
  std::vector<std::string> lost;
  /// False if MPI_Finalize would block, because a rank is lost or still evaluating.
  bool can_finalize = true;
  /// True if such a rank may still be alive: only aborting the launch ends it.
  bool needs_abort = false;
  /// Seconds from the first grant to the last report.
  double seconds = 0;
  /// When the run was stopped early.
  std::chrono::steady_clock::time_point stopped_at{};
  /// Upper estimate of the time to write the results file.
  double writing_seconds = 0;
};

/// Rank 0's role: grants points to the workers, handles their reports and enforces the limits of a run. Ranks that die
/// or fall silent are declared lost: results in their journals count, and the rest of their grants goes to others.
///
///     Manager manager(communicator, plan, workers, local, limits, tally, progress, observer);
///     Outcome outcome = manager.run(std::move(pending));  // again for each generation of a search
///     manager.close_journals(outcome);                    // now the journals can be merged
///     manager.add_losses(outcome);
///     manager.dismiss(outcome, status);
///
/// Results do not pass through the manager: each rank writes them to its own journal and reports only counts, times and
/// the observations that searches need. If the manager itself dies, the run ends; completed points remain in the
/// journals.
class Manager {
 public:
  using Clock = std::chrono::steady_clock;

  /// Further receiver of each report.
  using Observer = std::function<void(const Grant& grant, const Report& report)>;

  /// `workers` has an entry for each rank, including rank 0. If `local` is nullptr, rank 0 only manages.
  Manager(Communicator& communicator, const sweep::Plan& plan, std::vector<WorkerInfo> workers, LocalWorker* local,
          const RunLimits& limits, Tally& tally, Progress& progress, Observer observer);

  /// Evaluates the points of a pool. Returns when every point is done, or when the run has been stopped and no grant is
  /// outstanding; the outcome is that of all calls so far. A run that was stopped evaluates nothing more.
  Outcome run(WorkPool pool);

  /// Makes every worker close its journal and waits until all have; errors go to `outcome`.
  void close_journals(Outcome& outcome);

  /// Adds to an outcome what lost ranks mean for the end of the launch, also those whose process has gone since the
  /// last point.
  void add_losses(Outcome& outcome);

  /// Tells every responsive worker to exit.
  void dismiss(const Outcome& outcome, int status);

 private:
  /// The given ranks whose process is known to be gone.
  std::set<int> exited(const std::set<int>& numbers) const;
  struct Rank {
    WorkerInfo info;
    /// False for rank 0 without a local worker.
    bool participates = true;
    bool lost = false;
    bool dead = false;
    /// Its process is on this host, so that its death can be detected.
    bool visible = false;
    /// Outstanding grants, of which it evaluates the first; empty if it is idle.
    std::deque<Grant> grants;
    /// Reports still expected for grants that were reassigned to others.
    std::size_t late_reports = 0;
    /// Value of `listening_time_` at its last message.
    Clock::duration last_heard{};
    /// Time spent in its current point, by its last heartbeat.
    double point_seconds = 0;
    std::uint64_t point = 0;

    bool idle() const { return participates && !lost && grants.empty(); }
    bool busy() const { return participates && !lost && !grants.empty(); }
  };
  /// To be called after each change of what the roster knows of a rank.
  void update_roster(int number);
  void advance_listening_time(Clock::time_point now);
  bool poll_messages();
  void handle_report(int rank, const Report& report);
  void count(const Grant& grant, const Report& report);
  void dispatch();
  bool should_prefetch(std::size_t in_hand, int evaluators) const;
  void send_lease(int rank, Grant grant);
  void check_ranks();
  void check_rank(int number);
  void declare_lost(int rank, const std::string& why, bool dead);
  Report recover_from_journal(const Rank& rank, const Grant& grant, Grant& done, std::vector<Range>& left) const;
  void check_limits(Clock::time_point now);
  /// Upper estimate of the time to write the results file.
  double writing_seconds() const { return seconds_to_write(limits_.points, limits_.journal_bytes); }
  /// When all ranks must have stopped, so that the file can be written in time.
  std::optional<Clock::time_point> last_moment() const;
  void stop(Outcome::Stop why, std::string reason);
  double point_limit() const;
  void wait(BackOff& back_off);
  void abandon_busy();

  Communicator& communicator_;
  const sweep::Plan& plan_;
  LocalWorker* local_;
  WorkPool pool_;
  RunLimits limits_;
  Tally& tally_;
  Progress& progress_;
  Observer observer_;
  std::vector<Rank> ranks_;
  Roster roster_;
  HostCores cores_;
  /// The rank to be checked next.
  std::size_t next_check_ = 1;
  GrantSize size_;
  std::optional<Report> local_report_;
  Outcome outcome_;
  Clock::time_point last_round_;
  /// Time that this manager has spent listening. While it was stopped or starved, workers were not silent.
  Clock::duration listening_time_{};
};

}  // namespace pimsweep::driver
