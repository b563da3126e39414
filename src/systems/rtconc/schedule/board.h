#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "systems/rtconc/schedule/run_cost.h"
#include "systems/rtconc/schedule/step.h"
#include "systems/rtconc/schedule/ways.h"

namespace pimsweep::systems::rtconc::schedule {

/// An operation that runs.
struct Active {
  std::uint32_t operation = 0;
  const RunCost* cost = nullptr;
  /// Of its time alone, what is left.
  double left = 0;
  /// When its policy thinks that it will end.
  double expected_end = 0;
};

/// An operation begins or ends.
struct Event {
  double time = 0;
  std::uint32_t operation = 0;
  /// Operations that run at this moment, the one that begins or ends among them.
  std::uint32_t running = 0;
  /// Operations that could begin.
  std::uint32_t ready = 0;
  bool begins = false;
};

/// What became of a step.
struct Outcome {
  double seconds = 0;
  /// In the order of time.
  std::vector<Event> events;
  /// For each operation, when it began and ended; operations that take no time have none (0).
  std::vector<double> begin, end;
  /// The cost it ran at.
  std::vector<const RunCost*> cost;
  /// Time spent on changes of concurrency, and sum over operations of time with company less time alone.
  double change_seconds = 0;
  double company_seconds = 0;
};

/// What the runtime pays besides the operations.
struct Overheads {
  /// The executor's time for each operation.
  double dispatch = 0;
  /// Whether threads that an operation's team lacks have to be made, and caches filled again.
  bool changes = false;
  /// OpenMP threads that are there and spin while they have no work; none if they sleep.
  double spinning_pool = 0;
  /// The operating system's change from one thread to another, where there are more than hardware threads.
  double context_switch = 0;
};

/// The state of a step that is being run: ready and running operations, cores, time. Operations progress at the speed
/// that their present company leaves them, anew after each event. All memory is kept from step to step.
class Board {
 public:
  Board(const hardware::manycore::Device& device, const Step& step, std::span<const OperationClass> classes)
      : device_(device), step_(step), classes_(classes) {}

  /// Before the step; ready operations are kept by descending priority (empty: first come first).
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
  /// Cores without a thread, if no operation shares another's while there are others.
  double idle_cores() const { return device_.cores - std::min(device_.cores, threads_); }
  double threads() const { return threads_; }
  const hardware::manycore::Device& device() const { return device_; }
  /// Begins a ready operation; `expected` is the policy's idea of its time.
  void start(std::uint32_t operation, const RunCost& cost, double expected);

  // For simulate().
  void advance();
  bool done() const { return finished_ == step_.size(); }
  const Outcome& outcome() const { return outcome_; }

 private:
  void finish(std::uint32_t operation);
  /// One operation less to wait for, for all that wait for this one.
  void release(std::uint32_t operation);
  void make_ready(std::uint32_t operation);
  /// To the sums over the running operations, or (-1) away from them.
  void add(std::uint32_t operation, const RunCost& cost, double sign);
  void leave_nothing_running();
  /// Time until the last thread of an operation that begins gets its turn.
  double turn() const;
  double change_of(std::uint32_t kind, const RunCost& cost);
  bool in_openmp(std::uint32_t operation) const { return classes_[class_of(operation)].start != Start::by_halves; }
  /// OpenMP threads without work.
  double spinning() const { return std::max(0.0, overheads_.spinning_pool - openmp_threads_); }
  /// Threads of a core that take its issue slots, on average. One that spins does so as any other, unless it yields
  /// because there are too few hardware threads.
  double awake() const {
    return std::min(threads_ + spinning(), std::max(threads_, device_.cores * device_.smt)) / device_.cores;
  }
  hardware::manycore::Company company_of(const RunCost& cost) const;

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
  /// The team of each kind of operation as it was used last.
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

/// Runs the step: after every event the policy may begin operations (`policy.dispatch(board)`).
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
