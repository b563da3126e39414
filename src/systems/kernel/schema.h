#pragma once

#include <cstddef>

#include "systems/system.h"

namespace pimsweep::kernel {

/// The axes before the card's, in the schema's order.
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
  memory_channels
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
