#pragma once

#include <string_view>

namespace pimsweep::hardware::gpu {

/// Bound of a kernel's time.
enum class Bound { math, memory, cache, launch, latency };
std::string_view name_of(Bound bound);

/// Algorithm by which the library computes a layer.
enum class Algorithm {
  tiled_gemm,
  skinny_gemm,
  implicit_gemm,
  winograd_fused,
  winograd,
  fft,
  /// Partial results are added to the result by atomic operations.
  scatter,
  /// One launch per output pixel.
  pixelwise,
  /// Data pass through the multiprocessors once.
  streaming,
  /// One GEMM and one element-wise kernel per time step.
  steps,
};
std::string_view name_of(Algorithm algorithm);

/// Energy of a kernel by consumer, in J.
struct Energy {
  double idle = 0;
  double math = 0;
  double cache = 0;
  double memory = 0;
  double total() const { return idle + math + cache + memory; }
};

/// Time and work of one kernel or of several kernels in sequence.
struct KernelCost {
  double seconds = 0;
  /// Time without launches.
  double work_seconds = 0;
  /// work_seconds times the fraction of the multiprocessors' thread-block slots that the kernel occupies.
  double held_seconds = 0;
  /// Operations that the multiprocessors carry out, including padding.
  double operations = 0;
  /// Bytes between multiprocessors and L2, and between L2 and memory.
  double cache_bytes = 0;
  double memory_bytes = 0;
  double launches = 0;
  double math_energy = 0;
  Bound bound = Bound::launch;
  Algorithm algorithm = Algorithm::streaming;
  /// Tile of the (largest) GEMM; 0 without a GEMM.
  int tile_rows = 0;
  int tile_columns = 0;
  int split = 0;

  /// Adds a kernel that runs `times` times after this one; bound and tile remain those of the longer part.
  void then(const KernelCost& next, double times = 1);
};

}  // namespace pimsweep::hardware::gpu
