#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/local_worker.h"
#include "driver/progress.h"
#include "driver/tally.h"
#include "driver/work_pool.h"

namespace pimsweep::driver {

/// When to stop, and what to give up.
struct RunLimits {
  using Clock = std::chrono::steady_clock;
  /// All ranks have stopped by then.
  std::optional<Clock::time_point> deadline;
  /// What points in flight get after a signal.
  std::chrono::duration<double> grace{20};
  /// A busy rank not heard of for this long, while the manager listened, is lost.
  std::chrono::duration<double> silence{30};
  /// What a point may take; without: twenty times the longest one so far, at least ten minutes.
  std::optional<double> point_seconds;
  /// What all points are expected to take together; 0 if nobody can tell.
  double expected_seconds = 0;
  /// So many failures end the run.
  std::uint64_t failures = ~std::uint64_t{0};
};

/// Where a worker sits.
struct WorkerPlace {
  std::string host;
  /// 0 for one that never began.
  std::int64_t pid = 0;
  std::string journal;
};

/// How the evaluation of the pending points ended.
struct Outcome {
  enum class Stop : std::uint8_t { none, signal, time, failures, journal, ranks };
  Stop stop = Stop::none;
  /// Why the run stopped early, for people; empty if it did not.
  std::string reason;
  /// For each rank that was lost, which and why.
  std::vector<std::string> lost;
  /// A rank that was lost or still evaluates cannot close MPI with the others.
  bool all_present = true;
  /// Such a rank may still be alive: only ending the whole launch ends it.
  bool left_behind = false;
  /// Seconds from the first grant to the last report.
  double seconds = 0;
};

/// Rank 0's part: hands out points and hears what became of them. A rank that dies, or is not heard of any more, loses
/// what it has in hand to the others.
class Manager {
 public:
  using Clock = std::chrono::steady_clock;

  /// `workers`: one for each rank; the first is rank 0 itself. `local` may be null; then rank 0 only manages.
  Manager(Communicator& communicator, std::vector<WorkerPlace> workers, LocalWorker* local, WorkPool pool,
          const RunLimits& limits, Tally& tally, Progress& progress);

  /// Returns when every point is done, or the run was stopped and no grant is out any more.
  Outcome run();

  /// Lets every worker close its journal and waits until all have; adds what went wrong to `outcome`.
  void close_journals(Outcome& outcome);

  /// Tells every worker that can hear it to leave.
  void dismiss(const Outcome& outcome, int status);

 private:
  struct Rank {
    WorkerPlace place;
    /// Rank 0 without a local worker takes no part.
    bool takes_part = true;
    bool lost = false;
    bool dead = false;
    /// Its process can be looked at from here.
    bool visible = false;
    /// What it has in hand; empty when it is idle. It works on the first.
    std::deque<Grant> grants;
    /// Reports still to come of grants that it lost to others.
    std::size_t late_reports = 0;
    /// When, by `listened_`.
    Clock::duration heard{};
    /// Seconds that it has spent in its point, by its last beat.
    double point_seconds = 0;
    std::uint64_t point = 0;

    bool idle() const { return takes_part && !lost && grants.empty(); }
    bool busy() const { return takes_part && !lost && !grants.empty(); }
  };
  using IsRank = bool (Rank::*)() const;

  int count(IsRank is) const;
  void listen(Clock::time_point now);
  bool hear();
  void take_in(int rank, const Report& report);
  void hand_out();
  bool is_more_wise(std::size_t in_hand, int evaluators) const;
  void give(int rank, Grant grant);
  void watch();
  void lose(int rank, const std::string& why, bool dead);
  Report read_back(const Rank& rank, const Grant& grant, Grant& done, std::vector<Range>& left) const;
  void check_limits(Clock::time_point now);
  void stop(Outcome::Stop why, std::string reason);
  double point_limit() const;
  void wait(BackOff& back_off);
  void give_up_busy();

  Communicator& communicator_;
  LocalWorker* local_;
  WorkPool pool_;
  RunLimits limits_;
  Tally& tally_;
  Progress& progress_;
  std::vector<Rank> ranks_;
  GrantSize size_;
  std::optional<Report> local_report_;
  Outcome outcome_;
  Clock::time_point stopped_at_;
  Clock::time_point last_round_;
  /// How long this manager has listened. While it was stopped or starved itself, nobody was silent.
  Clock::duration listened_{};
};

}  // namespace pimsweep::driver
