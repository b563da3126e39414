#pragma once

#include <cstddef>

#include "systems/sheet_axes.h"
#include "systems/system.h"

namespace pimsweep::systems::parts::kernel {

/// The axes between the sheets' and the card's, in the schema's order.
enum AxisIndex : std::size_t { memory_channels = sheet::axis_count };

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

}  // namespace pimsweep::systems::parts::kernel
