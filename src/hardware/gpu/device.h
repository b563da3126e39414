#pragma once

#include <cstdint>
#include <string>

namespace pimsweep::hardware::gpu {

/// How numbers are stored and multiplied, by the names of the DeepBench sheets.
enum class Precision {
  fp32,
  /// fp16 in memory, multiplied as fp32 ("fp16-in/fp32-math").
  half_storage,
  /// fp16 in memory, multiplied by tensor cores where the device has them ("fp16-in/tensor-mixed").
  tensor,
  int8,
};

/// Generation of cuBLAS and cuDNN: it decides which kernels there are to choose from (docs/gpu.md).
enum class Library : std::uint8_t {
  /// There is no card.
  none,
  /// CUDA 8 with cuDNN 6.
  cuda8,
  /// CUDA 10 with cuDNN 7.
  cuda10,
};

/// A graphics processor; SI units. Rates are operations (a multiply-add counts two) of one multiprocessor in a cycle.
struct Device {
  Library library = Library::cuda10;
  double clock = 0;
  double multiprocessors = 0;
  double fp32_rate = 0;
  /// On pairs of fp16 numbers; 0: none that the library uses.
  double fp16_rate = 0;
  /// 0: no tensor cores.
  double tensor_rate = 0;
  /// Of dp4a instructions.
  double int8_rate = 0;
  /// Of tensor cores; 0: none for int8.
  double int8_tensor_rate = 0;
  /// Words that a multiprocessor loads in a cycle.
  double load_lanes = 0;
  double registers = 0;
  double shared_memory = 0;
  double threads = 0;
  /// Thread blocks that a multiprocessor may hold.
  double blocks = 0;
  double cache_capacity = 0;
  double cache_bytes_per_cycle = 0;
  /// Of the memory as a whole, before `memory_efficiency`.
  double memory_bandwidth = 0;
  double memory_efficiency = 0;
  double memory_latency_cycles = 0;
  /// Share of the peak rate that is sustained (clock under load).
  double sustained = 0;
  /// From one kernel's begin to the next one's when they do nothing, in seconds.
  double launch = 0;
  /// Time that a thread block's main loop stands still, as a share of the time in which it multiplies.
  double stall = 0;
  /// Share of the peak that the library's kernels for 16 columns or fewer reach (CUDA 8 only).
  double skinny = 1;
  double idle_power = 0;
  /// Joules for an operation, and for a byte.
  double fp32_energy = 0;
  double tensor_energy = 0;
  double int8_energy = 0;
  double cache_energy = 0;
  double memory_energy = 0;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace pimsweep::hardware::gpu
