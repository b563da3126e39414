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
  /// Remaining seconds alone.
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
  /// Ready operations that wait.
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
  /// True if an operation pays for threads that its team lacks, and for refilling caches.
  bool changes = false;
  /// OpenMP threads that exist and spin while they have no work; none if they sleep.
  double spinning_pool = 0;
  /// Time to change from one thread to another where there are more threads than hardware threads.
  double context_switch = 0;
};

/// Ready operations by descending priority; without priorities in the order in which they became ready. A linked list
/// over the operations, so that policies can start any of them.
class ReadyList {
 public:
  static constexpr std::uint32_t end = Step::none;

  void reset(std::size_t operations, std::span<const double> priorities);
  void insert(std::uint32_t operation);
  void remove(std::uint32_t operation);
  std::uint32_t size() const { return size_; }
  std::uint32_t first() const { return after(anchor()); }
  std::uint32_t after(std::uint32_t operation) const {
    const std::uint32_t next = next_[operation];
    return next == anchor() ? end : next;
  }

 private:
  /// The entry before the first operation and after the last one.
  std::uint32_t anchor() const { return static_cast<std::uint32_t>(next_.size() - 1); }

  std::span<const double> priorities_;
  std::vector<std::uint32_t> next_, previous_;
  std::uint32_t size_ = 0;
};

/// The state of a running step: ready and running operations, cores, time. A policy starts operations, simulate()
/// advances to the next end:
///
///     Board board(device, step, classes);
///     Moldable policy(costs, price, room);
///     const Outcome& outcome = simulate(board, policy, overheads, policy.priorities(step));
///
/// The speed of each operation follows from the present contention (threads on its cores, bandwidth, tile caches,
/// wake-ups) and changes with each event. All memory is kept from step to step; an outcome holds until the next step.
class Board {
 public:
  Board(const hardware::manycore::Device& device, const Step& step, std::span<const OperationClass> classes)
      : device_(device), step_(step), classes_(classes) {}

  /// Prepares a step. Ready operations are kept by descending priority; without priorities, first come, first served.
  void reset(const Overheads& overheads, std::span<const double> priorities);

  // For policies.
  static constexpr std::uint32_t nobody = ReadyList::end;
  /// The ready operations, in order, as a list.
  std::uint32_t first_ready() const { return ready_.first(); }
  std::uint32_t after(std::uint32_t operation) const { return ready_.after(operation); }
  bool any_ready() const { return first_ready() != nobody; }
  std::uint32_t class_of(std::uint32_t operation) const { return step_.operation_class[operation]; }
  std::uint32_t kind_of(std::uint32_t operation) const { return classes_[class_of(operation)].kind; }
  std::span<const Active> active() const { return active_; }
  double now() const { return now_; }
  /// Cores without a thread, provided that operations share cores only when no core is idle.
  double idle_cores() const { return device_.cores - std::min(device_.cores, running_.threads); }
  double threads() const { return running_.threads; }
  const hardware::manycore::Device& device() const { return device_; }
  /// Starts a ready operation; `expected` is the time that the policy expects.
  void start(std::uint32_t operation, const RunCost& cost, double expected);

  // For simulate().
  void advance();
  bool done() const { return finished_ == step_.size(); }
  const Outcome& outcome() const { return outcome_; }

 private:
  /// Sums over the running operations.
  struct Load {
    double threads = 0;
    double openmp_threads = 0;
    double tiles = 0;
    double drawn = 0;
    double footprint = 0;
    double waking = 0;
  };

  void finish(std::uint32_t operation);
  /// Releases the operations that wait for this one.
  void release(std::uint32_t operation);
  void make_ready(std::uint32_t operation);
  /// Adds an operation to the load, or removes it (sign -1).
  void add(std::uint32_t operation, const RunCost& cost, double sign);
  /// Time until the last thread of a starting operation gets a hardware thread.
  double turn() const;
  double change_of(std::uint32_t kind, const RunCost& cost);
  bool in_openmp(std::uint32_t operation) const {
    return classes_[class_of(operation)].waking.start != Start::by_halves;
  }
  /// OpenMP threads without work.
  double spinning() const { return std::max(0.0, overheads_.spinning_pool - running_.openmp_threads); }
  /// Mean number of threads on a core that take issue slots. Spinning threads count unless they yield because there are
  /// too few hardware threads.
  double awake() const {
    return std::min(threads() + spinning(), std::max(threads(), device_.cores * device_.smt)) / device_.cores;
  }
  hardware::manycore::Contention contention_of(const RunCost& cost) const;

  hardware::manycore::Device device_;
  const Step& step_;
  std::span<const OperationClass> classes_;
  Overheads overheads_;

  double now_ = 0;
  std::size_t finished_ = 0;
  ReadyList ready_;
  std::vector<std::uint32_t> waiting_;
  std::vector<Active> active_;
  std::vector<double> slower_;
  std::vector<std::uint32_t> stack_;
  /// The last team of each type of operation.
  std::vector<hardware::manycore::Placement> teams_;
  Load running_;
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
