#pragma once

#include <cstdint>
#include <string>

#include "hardware/model_error.h"

namespace pimsweep::hardware::gpu {

/// Storage and arithmetic of numbers, named as in the DeepBench sheets.
enum class Precision {
  fp32,
  /// fp16 in memory, multiplied as fp32 ("fp16-in/fp32-math").
  half_storage,
  /// fp16 in memory, multiplied by tensor cores where the device has them ("fp16-in/tensor-mixed").
  tensor,
  int8,
};

/// Generation of cuBLAS and cuDNN, which determines the available kernels (docs/gpu.md).
enum class Library : std::uint8_t {
  /// No GPU.
  none,
  /// CUDA 8 with cuDNN 6.
  cuda8,
  /// CUDA 10 with cuDNN 7.
  cuda10,
  /// CUDA 12 with cuDNN 9, on Ampere and later GPUs: GEMMs load several steps ahead.
  cuda12,
  /// cuDNN 8 with the convolution algorithm fixed to the implicit GEMM with precomputed offsets.
  cudnn8_fixed,
  /// CUTLASS 1.3 with its default tile for all GEMMs; convolutions as with CUDA 10.
  cutlass1,
};

/// Errors of the modeled times of each class of kernels.
struct KernelErrors {
  ModelError gemm = {};
  ModelError convolution = {};
  ModelError recurrent = {};

  friend bool operator==(const KernelErrors&, const KernelErrors&) = default;
};

/// A GPU; SI units. Rates are operations per cycle of one multiprocessor; a multiply-add counts as two.
struct Device {
  Library library = Library::cuda10;
  double clock = 0;
  double multiprocessors = 0;
  double fp32_rate = 0;
  /// Rate on pairs of fp16 numbers; 0 if the library does not use them.
  double fp16_rate = 0;
  /// Rate of tensor cores; 0 if there are none.
  double tensor_rate = 0;
  /// Rate of dp4a instructions.
  double int8_rate = 0;
  /// Rate of tensor cores on int8; 0 if they do not support it.
  double int8_tensor_rate = 0;
  /// Words that a multiprocessor loads per cycle.
  double load_lanes = 0;
  double registers = 0;
  double shared_memory = 0;
  double threads = 0;
  /// Maximum number of resident thread blocks per multiprocessor.
  double blocks = 0;
  double cache_capacity = 0;
  double cache_bytes_per_cycle = 0;
  /// Peak bandwidth of the whole memory, before `memory_efficiency`.
  double memory_bandwidth = 0;
  double memory_efficiency = 0;
  double memory_latency_cycles = 0;
  /// Fraction of the peak rate that is sustained (clock under load).
  double sustained = 0;
  /// Seconds from the start of one empty kernel to the start of the next.
  double launch = 0;
  /// Stall time of a thread block's main loop relative to its multiplication time.
  double stall = 0;
  /// Fraction of the peak that the library's kernels for 16 columns or fewer reach (CUDA 8 only).
  double skinny = 1;
  /// For cuDNN 8 with a fixed algorithm only: overhead cycles of each kernel without a GEMM, operations per
  /// multiply-add of a depthwise kernel including its addresses and loads, and number of outputs of the smallest
  /// convolution tile.
  double floor_cycles = 0;
  double depthwise_operations = 2;
  double min_tile = 64 * 64;
  KernelErrors errors = {};
  double idle_power = 0;
  /// Energy in J per operation, and per byte.
  double fp32_energy = 0;
  double tensor_energy = 0;
  double int8_energy = 0;
  double cache_energy = 0;
  double memory_energy = 0;

  bool has_fixed_algorithm() const { return library == Library::cudnn8_fixed; }
  /// Steps of a GEMM whose loads are under way at the same time: the stages of CUTLASS's kernels for Ampere and later.
  double steps_ahead() const { return library == Library::cuda12 ? 4 : 1; }
  /// Bytes of activations that the second-level cache keeps from one kernel to the next, the share of serving kernels.
  double kept_bytes() const { return library == Library::cuda12 ? 0.7 * cache_capacity : 0; }

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace pimsweep::hardware::gpu
