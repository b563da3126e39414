#pragma once

#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/fair_sharing.h"
#include "hardware/noc/step_program.h"

namespace pimsweep::hardware::noc {

/// Timeline of a step, in seconds and bytes.
struct StepTimeline {
  double makespan = 0;
  /// For an extrapolated step (RoutedStep): difference of the last two extrapolations as a share of the makespan.
  double difference = 0;
  /// Start and end of each task of the program.
  std::vector<double> start;
  std::vector<double> end;
  /// Time in which an accelerator computes. The next three add up to the makespan.
  double computation_seconds = 0;
  double only_computation = 0;
  double only_exchange = 0;
  double both = 0;
  /// Bytes carried by each link of the network.
  std::vector<double> link_bytes;
};

/// Simulates a step from event to event, an event being the start or the end of a task. An accelerator does one
/// computation at a time, without interruption: of those that are ready, the first in program order. An exchange starts
/// at once and shares the links with all others in progress (FairSharing).
///
/// Events closer together than 1e-12 of the time are one event: rounding must not decide which of two computations that
/// become ready at the same time goes first.
class StepSimulation {
 public:
  explicit StepSimulation(ExchangeNetwork network);

  /// Runs the program. With `overlap` false one task at a time in program order, so that the makespan is the sum of the
  /// computations and of ExchangeNetwork::seconds. The timeline is valid until the next run; a program that is no
  /// larger than an earlier one allocates nothing. Throws std::invalid_argument if an exchange's level is not in the
  /// network.
  const StepTimeline& run(const StepProgram& program, bool overlap = true);

  const ExchangeNetwork& network() const { return network_; }

 private:
  struct Exchange {
    TaskId task = 0;
    std::uint32_t level = 0;
    /// When it ends if the rates stay as they are.
    double end = 0;
  };

  void prepare(const StepProgram& program);
  void run_in_order(const StepProgram& program);
  /// Counts what each task waits for, and lists its followers.
  void order_tasks(const StepProgram& program);
  void run_overlapped(const StepProgram& program);
  void release(const StepProgram& program, TaskId task, double now);
  void share_links(const StepProgram& program, double now);
  void finish(const StepProgram& program, TaskId task, double now);

  ExchangeNetwork network_;
  FairSharing sharing_;
  StepTimeline timeline_;

  /// Tasks that wait for each task, and how many tasks each one still waits for.
  std::vector<TaskId> followers_;
  std::vector<std::size_t> followers_begin_;
  std::vector<std::uint32_t> waits_for_;
  /// Heap with the first computation in program order on top.
  std::vector<TaskId> ready_;
  /// Exchanges in progress; those from `shared_` on have not been given a rate yet.
  std::vector<Exchange> exchanges_;
  std::size_t shared_ = 0;
  std::vector<TaskId> ended_;
  /// For each level: exchanges in progress, and their rate in bytes per second.
  std::vector<std::uint32_t> running_;
  std::vector<double> rate_;
  std::vector<double> new_rate_;
  bool rates_are_old_ = false;
};

}  // namespace pimsweep::hardware::noc
