#pragma once

#include <span>
#include <string_view>

#include "hardware/manycore/device.h"
#include "hardware/manycore/placement.h"
#include "hardware/manycore/work.h"

namespace pimsweep::hardware::manycore {

/// What else runs at the same time.
struct Company {
  /// Threads of others on the same cores, for each of them.
  double threads_per_core = 0;
  /// Bytes that others have in the caches of the same tiles, for each tile.
  double tile_footprint = 0;
  /// What others draw from memory, in bytes per second.
  double bandwidth = 0;
};

/// What the time is mostly made of.
enum class Bound { compute, memory, sharing, conversion, serial, threads };
std::string_view name_of(Bound bound);

/// The time of an operation and its parts, in seconds. Reading overlaps with computing unless operands are packed, so
/// that the total may be less than the sum.
struct RunTime {
  double total = 0;
  double compute = 0;
  /// Operands and results between memory and caches, once.
  double memory = 0;
  /// Operands that several tiles read, beyond the first time.
  double sharing = 0;
  /// Sums of results of which each thread has its own.
  double reduction = 0;
  /// Work evenly shared before and after the loops.
  double conversion = 0;
  /// What one thread does alone.
  double serial = 0;
  /// Begin and end of the parallel region: waking the threads, and the barrier.
  double barriers = 0;
  /// Busiest thread's work by the mean.
  double imbalance = 1;
  /// Bytes from and to memory or the caches of other tiles.
  double memory_bytes = 0;
  /// How the loops are split between threads.
  double row_parts = 1;
  double column_parts = 1;
  double depth_parts = 1;

  Bound bound() const;
};

/// The fastest way to split the work over the threads (equations in docs/manycore.md). Allocates nothing.
RunTime run_time(const Device& device, const Work& work, const Placement& placement, const Company& company = {});

/// Time until all threads have begun, and until all have ended: a line goes to and comes from each of them.
double barrier_time(const Device& device, const Placement& placement);

/// Time lost when the next operation uses another number of threads or other cores: created threads, and what was in
/// the caches of the tiles that change (`footprint` bytes over all) has to be read again.
double change_time(const Device& device, const Placement& from, const Placement& to, double footprint);

/// An operation that runs beside others. `shares_cores`: its cores are those of the others too (hyper-threads).
struct Running {
  Work work;
  Placement placement;
  bool shares_cores = false;
};

/// Times of operations that run side by side all the time, into `times`, in their order: bandwidth is shared as it is
/// asked for, cores and caches by who is on them.
void run_together(const Device& device, std::span<const Running> running, std::span<RunTime> times);

}  // namespace pimsweep::hardware::manycore
