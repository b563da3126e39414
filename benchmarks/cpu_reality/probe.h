#pragma once

#include <chrono>
#include <limits>

#include "hardware/manycore/device.h"

/// Shortest time of a run, in seconds: at least three runs, and as many as fit into `budget` seconds. Others that use
/// the machine only make it longer.
template <typename Run>
double shortest(double budget, const Run& run) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  const auto start = Clock::now();
  for (int i = 0; i < 3 || std::chrono::duration<double>(Clock::now() - start).count() < budget; ++i) {
    const auto begin = Clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

/// Measures this machine: rate of multiply-adds, bandwidth of one and of all cores, a barrier, the creation of a
/// thread, and one GEMM with one thread (`sustained`). The operating system reports the rest. Takes about ten times
/// `budget` seconds.
pimsweep::hardware::manycore::Device probe(double budget);

/// y[i] += x[i] * factor with `threads` threads.
void scale_and_add(int threads, long elements, float factor, const float* x, float* y);
