#pragma once

#include <cstdint>

#include "hardware/manycore/run_time.h"

namespace pimsweep::systems::rtconc::schedule {

/// An operation alone on some cores: its time and what it is made of, so that company can be added to it without
/// another search for the best split of its loops.
struct RunCost {
  /// Alone, from begin to end.
  double seconds = 0;
  double compute = 0;
  double conversion = 0;
  /// Operands and results through memory, and through the caches at least.
  double memory = 0;
  double caches = 0;
  /// Panels that several tiles read, sums of partial results, what one thread copies.
  double transfers = 0;
  double barriers = 0;
  /// To wake the threads, and the share of its time that this takes.
  double waking = 0;
  double waking_share = 0;
  /// Bytes per second that its cores could draw, and that it draws on average.
  double bandwidth = 0;
  double drawn = 0;
  double distinct_bytes = 0;
  double footprint = 0;
  double threads = 1;
  double cores = 1;
  double tiles = 1;
  double threads_per_core = 1;
  /// Where the threads are that it was given; it may use fewer.
  hardware::manycore::Placement team;
  /// Reading does not overlap with computing.
  bool packs = false;
};

/// What the threads of an operation do before it begins.
enum class Start : std::uint8_t {
  /// OpenMP's threads that spin: only the barrier.
  spinning,
  /// OpenMP's threads that sleep are woken one after the other.
  one_by_one,
  /// Eigen hands half of the loop to a thread, both halve again: all are awake after log2(threads) wakings.
  by_halves,
};

/// Seconds until so many threads have begun; the first is awake.
double waking_time(const hardware::manycore::Device& device, Start start, double threads);

/// Cost of a work on these cores, by src/hardware/manycore.
RunCost run_cost(const hardware::manycore::Device& device, const hardware::manycore::Work& work,
                 const hardware::manycore::Placement& placement, Start start = Start::spinning);

/// What the others do to an operation that wakes its threads.
struct WakingCompany {
  /// Threads are woken one at a time in the whole process: shares of their time that the others spend on it, summed.
  double share = 0;
  /// Threads of all operations on a core, mean. Waking is scalar code: it takes one issue slot in a cycle.
  double threads_per_core = 1;
};

/// Time if the company were there all the while: manycore::run_time, but with the split of the loops that is best
/// alone. Never shorter than alone.
double seconds_beside(const hardware::manycore::Device& device, const RunCost& cost,
                      const hardware::manycore::Company& company, const WakingCompany& waking = {});

/// Seconds of one core that the work takes at least, on however many cores.
double least_core_seconds(const hardware::manycore::Device& device, const hardware::manycore::Work& work);

}  // namespace pimsweep::systems::rtconc::schedule
