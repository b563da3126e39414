#pragma once

#include <cstddef>

#include "systems/system.h"

namespace pimsweep::kernel {

/// The axes in the schema's order.
enum AxisIndex : std::size_t {
  kind,
  device,
  precision,
  pass,
  size_m,
  size_n,
  size_k,
  trans_a,
  trans_b,
  width,
  height,
  channels,
  filter_h,
  filter_w,
  pad_h,
  pad_w,
  stride_h,
  stride_w,
  cell,
  hidden,
  batch,
  timesteps,
  inputs,
  memory_channels,
  hardware_card,
  hardware_library,
  hardware_clock,
  hardware_multiprocessors,
  hardware_fp32_rate,
  hardware_tensor_rate,
  hardware_int8_rate,
  hardware_int8_tensor_rate,
  hardware_load_lanes,
  hardware_registers,
  hardware_shared_memory,
  hardware_threads,
  hardware_blocks,
  hardware_cache_capacity,
  hardware_cache_rate,
  hardware_memory_bandwidth,
  hardware_memory_channels,
  hardware_memory_efficiency,
  hardware_memory_latency,
  hardware_fitted_on,
  hardware_sustained,
  hardware_launch,
  hardware_stall,
  hardware_skinny,
  hardware_tdp,
  hardware_idle,
  hardware_fp32_energy,
  hardware_tensor_energy,
  hardware_int8_energy,
  hardware_cache_energy,
  hardware_memory_energy
};

/// The metrics in the schema's order.
enum MetricIndex : std::size_t {
  time,
  time_ms,
  forward_ms,
  backward_inputs_ms,
  backward_weights_ms,
  backward_total_ms,
  achieved_rate,
  peak_share,
  bound,
  algorithm,
  tile,
  split,
  launches,
  operations,
  executed_operations,
  memory_bytes,
  cache_bytes,
  energy,
  idle_energy,
  math_energy,
  cache_energy,
  memory_energy,
  power,
  caveat
};

Schema make_schema();

}  // namespace pimsweep::kernel
