#pragma once

#include "hardware/gpu/device.h"
#include "hardware/gpu/kernel_cost.h"
#include "hardware/gpu/stream_load.h"

namespace pimsweep::hardware::gpu {

/// What a card's threads are made of, beside its data sheet; times in clock cycles.
struct ThreadUnits {
  /// Threads that run in step.
  double warp = 0;
  /// Threads that a block may have.
  double block_threads = 0;
  /// From an instruction to the next one that needs its result.
  double instruction_cycles = 0;
  /// Of a trip to the second-level cache (Device::memory_latency_cycles: to memory).
  double cache_cycles = 0;

  friend bool operator==(const ThreadUnits&, const ThreadUnits&) = default;
};

/// A kernel whose threads go through its elements in strides of all threads ("grid-stride loop"). Bytes are of the
/// whole kernel, the rest of one element.
struct ElementKernel {
  double elements = 1;
  double memory_bytes = 0;
  double cache_bytes = 0;
  /// Trips that a thread waits for, one after another.
  double memory_trips = 0;
  double cache_trips = 0;
  double load_words = 0;
  double instructions = 0;
  /// Of a thread.
  double registers = 0;
};

/// Threads of a block, and blocks.
struct LaunchShape {
  double threads = 1;
  double blocks = 1;
};

/// How a launched kernel runs.
struct ElementRun {
  StreamLoad load;
  /// Blocks that a multiprocessor holds at a time; 0: not even one fits, and nothing else is told.
  double resident_blocks = 0;
  /// Threads that the busiest multiprocessor has at a time, by those that it may hold.
  double occupancy = 0;
  double waves = 0;
  /// Of the thread that has most.
  double elements_each = 0;
  Bound bound = Bound::launch;

  double seconds() const { return load.alone(); }
};

/// Time of a kernel with the given launch: the longest of memory, second-level cache, issue slots, load units and the
/// trips of the busiest multiprocessor's threads; equations in docs/gpu.md. Never slower with more bandwidth or clock.
ElementRun run(const Device& device, const ThreadUnits& units, const ElementKernel& kernel, const LaunchShape& launch);

}  // namespace pimsweep::hardware::gpu
