#pragma once

#include <cstdint>

#include "hardware/manycore/run_time.h"

namespace pimsweep::systems::rtconc::schedule {

/// An operation alone on some cores: the time and its parts, so that contention can be added without another search for
/// the best split of the loops.
struct RunCost {
  /// From start to end, alone.
  double seconds = 0;
  double compute = 0;
  double conversion = 0;
  /// Operands and results through memory, and the minimum through the caches.
  double memory = 0;
  double caches = 0;
  /// Panels that several tiles read, sums of partial results, and copies by one thread.
  double transfers = 0;
  double barriers = 0;
  /// Time to wake the threads, and its share of `seconds`.
  double waking = 0;
  double waking_share = 0;
  /// Memory bandwidth that the cores could use, and that the operation uses on average.
  double bandwidth = 0;
  double drawn = 0;
  double distinct_bytes = 0;
  double footprint = 0;
  double threads = 1;
  double cores = 1;
  double tiles = 1;
  double threads_per_core = 1;
  /// Placement of the threads assigned to the operation; it may use fewer.
  hardware::manycore::Placement team;
  /// True if operands are packed first, so that reading does not overlap with computing.
  bool packs = false;
};

/// Wake-up of the threads of an operation.
enum class Start : std::uint8_t {
  /// OpenMP threads that spin need only the barrier.
  spinning,
  /// Sleeping OpenMP threads are woken sequentially.
  one_by_one,
  /// Eigen hands half of the loop to a thread, both halve again: all are awake after log2(threads) wakings.
  by_halves,
};

/// Cost of waking the threads of an operation.
struct Waking {
  Start start = Start::spinning;
  /// Seconds to wake one thread.
  double each = 0;
};

/// Seconds until all threads have begun; the first is awake.
double waking_time(const Waking& waking, double threads);

/// The cost of a work on these cores, by src/hardware/manycore.
RunCost run_cost(const hardware::manycore::Device& device, const hardware::manycore::Work& work,
                 const hardware::manycore::Placement& placement, const Waking& waking = {});

/// The cost of a work that takes this time with all threads awake.
RunCost run_cost(const hardware::manycore::Device& device, const hardware::manycore::Work& work,
                 const hardware::manycore::Placement& placement, const Waking& waking,
                 const hardware::manycore::RunTime& time);

/// Effect of other operations on one that wakes its threads.
struct WakingContention {
  /// Sum over the others of the share of time that they spend waking threads: a process wakes one thread at a time.
  double share = 0;
  /// Mean number of threads of all operations on a core. Waking is scalar code: it takes one issue slot in a cycle.
  double threads_per_core = 1;
};

/// Time if the contention lasted throughout: manycore::run_time, but with the split of the loops that is best alone.
/// Never shorter than alone.
double time_under_contention(const hardware::manycore::Device& device, const RunCost& cost,
                             const hardware::manycore::Contention& contention, const WakingContention& waking = {});

/// Minimum of core-seconds that the work takes on any number of cores.
double min_core_seconds(const hardware::manycore::Device& device, const hardware::manycore::Work& work);

}  // namespace pimsweep::systems::rtconc::schedule
