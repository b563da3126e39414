#pragma once

#include <string_view>

#include "hardware/gpu/device.h"
#include "hardware/gpu/kernel_cost.h"

namespace pimsweep::hardware::gpu {

/// Demand of a kernel, or a chain of kernels, in one stream, in seconds. Each of the last four is the time if that
/// resource were the only limit, so none exceeds `work`.
struct StreamLoad {
  double launch = 0;
  /// Time without launches, alone on the GPU.
  double work = 0;
  /// `work` times the fraction of all thread-block slots that it occupies.
  double held = 0;
  double units = 0;
  double memory = 0;
  double cache = 0;

  double alone() const { return launch + work; }
};

/// Demand of kernels that the library chooses; `rate`: operations per second of one multiprocessor in their arithmetic.
StreamLoad load_of(const Device& device, const KernelCost& cost, double rate);

/// Sharing of GPU and host by two runs. A run consists of host work, launches and kernels; the host waits for its end.
enum class CoRun {
  /// One after another.
  serial,
  /// Two streams of one process: kernels run concurrently, the host does the work of one run after the other's.
  streams,
  /// Two processes: each has a host thread, kernels run one after another (no MPS).
  processes,
  /// Two processes that share a context by MPS: two host threads, concurrent kernels.
  mps,
};

/// Bound of a pair's time: the longer run alone, the host, or a shared resource of the GPU. `turns`: both work times in
/// sequence.
enum class PairBound { serial, alone, host, turns, places, units, memory, cache };
std::string_view name_of(PairBound bound);

struct PairTime {
  double seconds = 0;
  PairBound bound = PairBound::serial;
};

/// Time for both runs once, in steady state; `host`: seconds of host work in each run. Never shorter than the longer
/// run alone, never longer than both in sequence (docs/gpu.md).
PairTime pair_time(const StreamLoad& one, const StreamLoad& other, double host, CoRun how);

}  // namespace pimsweep::hardware::gpu
