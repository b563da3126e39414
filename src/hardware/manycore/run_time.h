#pragma once

#include <span>
#include <string_view>

#include "hardware/manycore/device.h"
#include "hardware/manycore/placement.h"
#include "hardware/manycore/work.h"

namespace pimsweep::hardware::manycore {

/// Load by other operations that run at the same time.
struct Contention {
  /// Threads of other operations on each of the same cores.
  double threads_per_core = 0;
  /// Bytes of other operations in the cache of each of the same tiles.
  double tile_footprint = 0;
  /// Memory bandwidth used by other operations, in bytes per second.
  double bandwidth = 0;
};

/// The component that dominates the time.
enum class Bound { compute, memory, sharing, conversion, serial, threads };
std::string_view name_of(Bound bound);

/// Time of an operation and its components, in seconds. Reading overlaps with computing unless operands are packed, so
/// the total may be less than the sum.
struct RunTime {
  double total = 0;
  double compute = 0;
  /// Moving operands and results between memory and caches once.
  double memory = 0;
  /// Repeated reading of operands that several tiles share.
  double sharing = 0;
  /// Summing the partial results of the threads.
  double reduction = 0;
  /// Work divided evenly among threads before and after the loops.
  double conversion = 0;
  /// Work of a single thread.
  double serial = 0;
  /// Start and end of the parallel region: waking the threads, and the barrier.
  double barriers = 0;
  /// Work of the busiest thread divided by the mean.
  double imbalance = 1;
  /// Bytes from and to memory or the caches of other tiles.
  double memory_bytes = 0;
  /// Number of parts into which each loop is split.
  double row_parts = 1;
  double column_parts = 1;
  double depth_parts = 1;

  Bound bound() const;
};

/// Time with the fastest split of the work over the threads (equations: docs/manycore.md). Does not allocate.
RunTime run_time(const Device& device, const Work& work, const Placement& placement, const Contention& contention = {});

/// Time to start and to join all threads: a cache line travels to and from each of them.
double barrier_time(const Device& device, const Placement& placement);

/// Time lost when the next operation uses another number of threads or other cores: threads are created, and the cache
/// contents of tiles that change (`footprint` bytes in total) are read again.
double change_time(const Device& device, const Placement& from, const Placement& to, double footprint);

/// An operation that runs concurrently with others. `shares_cores`: on the same cores (hyper-threads).
struct Running {
  Work work;
  Placement placement;
  bool shares_cores = false;
};

/// Writes the times of operations that always run concurrently to `times`, in their order: bandwidth is shared by
/// demand, cores and caches by placement.
void run_together(const Device& device, std::span<const Running> running, std::span<RunTime> times);

}  // namespace pimsweep::hardware::manycore
