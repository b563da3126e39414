#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "systems/rtconc/schedule/cost_table.h"
#include "systems/rtconc/schedule/run_cost.h"
#include "systems/rtconc/schedule/step.h"

namespace pimsweep::systems::rtconc::schedule {

/// An operation that runs.
struct Active {
  std::uint32_t operation = 0;
  const RunCost* cost = nullptr;
  /// Seconds alone that are left.
  double left = 0;
  /// End that the policy expects.
  double expected_end = 0;
};

/// The start or the end of an operation.
struct Event {
  double time = 0;
  std::uint32_t operation = 0;
  /// Running operations, with the one that starts or ends.
  std::uint32_t running = 0;
  /// Operations that wait although they could start.
  std::uint32_t ready = 0;
  bool starts = false;
};

/// A step that has been run.
struct Outcome {
  double seconds = 0;
  /// In the order of time.
  std::vector<Event> events;
  /// Start and end of each operation; 0 for operations that take no time.
  std::vector<double> start, end;
  /// The cost of each operation as it ran.
  std::vector<const RunCost*> cost;
  /// Time spent on changes of concurrency, and the sum over operations of time with contention less time alone.
  double change_seconds = 0;
  double contention_seconds = 0;
};

/// Overheads of the runtime.
struct Overheads {
  /// The executor's time for each operation.
  double dispatch = 0;
  /// Whether an operation pays for threads that its team lacks, and for refilling caches.
  bool changes = false;
  /// OpenMP threads that exist and spin while they have no work; none if they sleep.
  double spinning_pool = 0;
  /// Time to change from one thread to another where there are more threads than hardware threads.
  double context_switch = 0;
};

/// The state of a running step: ready and running operations, cores, time. The speed of each operation follows from the
/// present contention and changes with each event. All memory is kept from step to step.
class Board {
 public:
  Board(const hardware::manycore::Device& device, const Step& step, std::span<const OperationClass> classes)
      : device_(device), step_(step), classes_(classes) {}

  /// Prepares a step. Ready operations are kept by descending priority; without priorities, first come, first served.
  void reset(const Overheads& overheads, std::span<const double> priorities);

  // For policies.
  static constexpr std::uint32_t nobody = Step::none;
  /// The ready operations, in order, as a list.
  std::uint32_t first_ready() const { return after(static_cast<std::uint32_t>(step_.size())); }
  std::uint32_t after(std::uint32_t operation) const {
    const std::uint32_t next = next_[operation];
    return next == step_.size() ? nobody : next;
  }
  bool any_ready() const { return first_ready() != nobody; }
  std::uint32_t class_of(std::uint32_t operation) const { return step_.operation_class[operation]; }
  std::uint32_t kind_of(std::uint32_t operation) const { return classes_[class_of(operation)].kind; }
  std::span<const Active> active() const { return active_; }
  double now() const { return now_; }
  /// Cores without a thread, provided that operations share cores only when no core is idle.
  double idle_cores() const { return device_.cores - std::min(device_.cores, threads_); }
  double threads() const { return threads_; }
  const hardware::manycore::Device& device() const { return device_; }
  /// Starts a ready operation; `expected` is the time that the policy expects.
  void start(std::uint32_t operation, const RunCost& cost, double expected);

  // For simulate().
  void advance();
  bool done() const { return finished_ == step_.size(); }
  const Outcome& outcome() const { return outcome_; }

 private:
  void finish(std::uint32_t operation);
  /// Releases the operations that wait for this one.
  void release(std::uint32_t operation);
  void make_ready(std::uint32_t operation);
  /// Adds an operation to the sums over running operations, or removes it (sign -1).
  void add(std::uint32_t operation, const RunCost& cost, double sign);
  void leave_nothing_running();
  /// Time until the last thread of a starting operation gets a hardware thread.
  double turn() const;
  double change_of(std::uint32_t kind, const RunCost& cost);
  bool in_openmp(std::uint32_t operation) const {
    return classes_[class_of(operation)].waking.start != Start::by_halves;
  }
  /// OpenMP threads without work.
  double spinning() const { return std::max(0.0, overheads_.spinning_pool - openmp_threads_); }
  /// Mean number of threads on a core that take issue slots. Spinning threads count unless they yield because there are
  /// too few hardware threads.
  double awake() const {
    return std::min(threads_ + spinning(), std::max(threads_, device_.cores * device_.smt)) / device_.cores;
  }
  hardware::manycore::Contention contention_of(const RunCost& cost) const;

  hardware::manycore::Device device_;
  const Step& step_;
  std::span<const OperationClass> classes_;
  Overheads overheads_;
  std::span<const double> priorities_;

  double now_ = 0;
  std::size_t finished_ = 0;
  std::uint32_t ready_ = 0;
  std::vector<std::uint32_t> waiting_;
  /// A ring through the entry step.size().
  std::vector<std::uint32_t> next_, previous_;
  std::vector<Active> active_;
  std::vector<double> slower_;
  std::vector<std::uint32_t> stack_;
  /// The last team of each type of operation.
  std::vector<hardware::manycore::Placement> teams_;
  // Sums over the running operations.
  double threads_ = 0;
  double openmp_threads_ = 0;
  double tiles_ = 0;
  double drawn_ = 0;
  double footprint_ = 0;
  double waking_ = 0;
  Outcome outcome_;
};

/// Runs the step: after every event the policy may start operations (`policy.dispatch(board)`).
template <typename Policy>
const Outcome& simulate(Board& board, Policy& policy, const Overheads& overheads,
                        std::span<const double> priorities = {}) {
  board.reset(overheads, priorities);
  while (true) {
    policy.dispatch(board);
    if (board.active().empty()) break;
    board.advance();
  }
  if (!board.done()) throw std::logic_error("a policy left operations behind");
  return board.outcome();
}

}  // namespace pimsweep::systems::rtconc::schedule
