#pragma once

#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/fair_sharing.h"
#include "hardware/noc/step_program.h"

namespace pimsweep::hardware::noc {

/// Timeline of a step, in seconds and bytes.
struct StepTimeline {
  double makespan = 0;
  /// For an extrapolated step (RoutedStep): difference of the last two extrapolations relative to the makespan.
  double difference = 0;
  /// Start and end of each task of the program.
  std::vector<double> start;
  std::vector<double> end;
  /// Compute time of an accelerator. This and the next two times add up to the makespan.
  double computation_seconds = 0;
  double only_computation = 0;
  double only_exchange = 0;
  double both = 0;
  /// Bytes carried by each link of the network.
  std::vector<double> link_bytes;
};

/// Event-driven simulation of a step; an event is the start or the end of a task. An accelerator runs one computation
/// at a time, without preemption: the first ready one in program order. An exchange starts as soon as it is ready and
/// shares the links with all others in progress (FairSharing).
///
/// Events closer together than 1e-12 of the time are one event, so that rounding does not decide which of two
/// computations that become ready at the same time runs first.
class StepSimulation {
 public:
  explicit StepSimulation(ExchangeNetwork network);

  /// Runs the program. With `overlap` false, tasks run one at a time in program order, so that the makespan is the sum
  /// of the computations and of ExchangeNetwork::seconds. The timeline is valid until the next run; a program that is
  /// no larger than an earlier one does not allocate. Throws std::invalid_argument if the level of an exchange is not
  /// in the network.
  const StepTimeline& run(const StepProgram& program, bool overlap = true);

  const ExchangeNetwork& network() const { return network_; }

 private:
  struct Exchange {
    TaskId task = 0;
    std::uint32_t level = 0;
    /// End time at the present rates.
    double end = 0;
  };

  void prepare(const StepProgram& program);
  void run_in_order(const StepProgram& program);
  /// Counts the predecessors of each task, and lists its followers.
  void order_tasks(const StepProgram& program);
  void run_overlapped(const StepProgram& program);
  void release(const StepProgram& program, TaskId task, double now);
  void share_links(const StepProgram& program, double now);
  void finish(const StepProgram& program, TaskId task, double now);

  ExchangeNetwork network_;
  FairSharing sharing_;
  StepTimeline timeline_;

  /// Followers of each task, and number of unfinished predecessors.
  std::vector<TaskId> followers_;
  std::vector<std::size_t> followers_begin_;
  std::vector<std::uint32_t> waits_for_;
  /// Heap with the first computation in program order on top.
  std::vector<TaskId> ready_;
  /// Exchanges in progress; those from index `shared_` on have not been given a rate yet.
  std::vector<Exchange> exchanges_;
  std::size_t shared_ = 0;
  std::vector<TaskId> ended_;
  /// By level: number of exchanges in progress, and their rate in bytes per second.
  std::vector<std::uint32_t> running_;
  std::vector<double> rate_;
  std::vector<double> new_rate_;
  bool rates_are_old_ = false;
};

}  // namespace pimsweep::hardware::noc
