#pragma once

#include "hardware/gpu/device.h"
#include "hardware/gpu/kernel_cost.h"
#include "hardware/gpu/stream_load.h"

namespace pimsweep::hardware::gpu {

/// Thread-level parameters of a GPU, in addition to Device; times in clock cycles.
struct ThreadUnits {
  /// Threads that run in lockstep (a warp).
  double warp = 0;
  /// Maximum number of threads per block.
  double block_threads = 0;
  /// Latency from an instruction to the next one that needs its result.
  double instruction_cycles = 0;
  /// Latency of the second-level cache (Device::memory_latency_cycles is that of memory).
  double cache_cycles = 0;

  friend bool operator==(const ThreadUnits&, const ThreadUnits&) = default;
};

/// A kernel whose threads share its elements in a grid-stride loop. Bytes are those of the whole kernel; other counts
/// are per element.
struct ElementKernel {
  double elements = 1;
  double memory_bytes = 0;
  double cache_bytes = 0;
  /// Dependent accesses, for each of which a thread waits.
  double memory_trips = 0;
  double cache_trips = 0;
  double load_words = 0;
  double instructions = 0;
  /// Registers per thread.
  double registers = 0;
};

/// Threads per block, and number of blocks.
struct LaunchShape {
  double threads = 1;
  double blocks = 1;
};

/// Result of a launch.
struct ElementRun {
  StreamLoad load;
  /// Resident blocks per multiprocessor; 0 if not even one fits, and then the other fields are unset.
  double resident_blocks = 0;
  /// Resident threads of the busiest multiprocessor relative to its maximum.
  double occupancy = 0;
  double waves = 0;
  /// Elements of the busiest thread.
  double elements_each = 0;
  Bound bound = Bound::launch;

  double seconds() const { return load.alone(); }
};

/// Time of a kernel with the given launch: the maximum over memory, second-level cache, issue slots, load units and
/// access latencies of the threads of the busiest multiprocessor (equations: docs/gpu.md). Never slower with more
/// bandwidth or clock.
ElementRun run(const Device& device, const ThreadUnits& units, const ElementKernel& kernel, const LaunchShape& launch);

}  // namespace pimsweep::hardware::gpu
