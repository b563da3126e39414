#pragma once

#include <string>

#include "hardware/gpu/language/kernels.h"

/// Cards of docs/llm-gpu.md: data sheets and fitted constants (scripts/llm_kernel_fit.py).
namespace pimsweep::hardware::gpu::language {

inline Kernels served_kernels() {
  return {.empty_latency = 0.4e-6,
          .trip_latency = 0.5e-6,
          .dense_latency = 4.5e-6,
          .decode_latency = 12e-6,
          .batch_latency = 3.2e-6,
          .prefill_latency = 6.5e-6,
          .experts_latency = 36e-6,
          .sampler_latency = 12e-6,
          .cache_ratio = 2.5,
          .cache_share = 0.7,
          .load_bytes_per_cycle = 32,
          .block_bytes_per_cycle = 20,
          .block_cycles = 250,
          .tile_overhead = 2.5,
          .overlap = 2.75,
          .query_rows = 64,
          .split_keys = 128};
}

inline Card measured_card(const std::string& name) {
  const double mib = 1 << 20;
  if (name == "RTX 4090") {
    return {.multiprocessors = 128,
            .clock = 2.52e9,
            .tensor_rate = 512,
            .memory_bandwidth = 1008e9,
            .cache_capacity = 72 * mib,
            .memory_efficiency = 0.927,
            .tensor_efficiency = 1,
            .attention_efficiency = 0.779,
            .kernels = served_kernels()};
  }
  return {.multiprocessors = 188,
          .clock = 2.493e9,
          .tensor_rate = 1024,
          .memory_bandwidth = 1597e9,
          .cache_capacity = 128 * mib,
          .memory_efficiency = 0.930,
          .tensor_efficiency = 0.838,
          .attention_efficiency = 0.609,
          .kernels = served_kernels()};
}

}  // namespace pimsweep::hardware::gpu::language
