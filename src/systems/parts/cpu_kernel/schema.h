#pragma once

#include <cstddef>

#include "systems/sheet_axes.h"
#include "systems/system.h"

namespace pimsweep::systems::parts::cpu_kernel {

/// The axes between the sheets' and the processor's, in the schema's order.
enum AxisIndex : std::size_t {
  states = sheet::axis_count,
  threads,
  affinity,
  library,
  framework,
  search,
  beside,
  co_run
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
  compute_time,
  memory_time,
  sharing_time,
  reduction_time,
  conversion_time,
  serial_time,
  barrier_time,
  spawn_time,
  imbalance,
  memory_bytes,
  operations,
  parts,
  best_threads,
  best_time,
  gain_over_all_cores,
  span,
  speedup,
  caveat
};

Schema make_schema();

}  // namespace pimsweep::systems::parts::cpu_kernel
