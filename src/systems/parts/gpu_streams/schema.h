#pragma once

#include <cstddef>

#include "systems/sheet_axes.h"
#include "systems/system.h"

namespace pimsweep::systems::parts::gpu_streams {

/// The axes after the sheets', in the schema's order; the card's follow.
enum AxisIndex : std::size_t {
  threads = sheet::axis_count,
  blocks,
  than_threads,
  than_blocks,
  co_run,
  runs,
  host_run,
  warp,
  block_threads,
  instruction_cycles,
  cache_cycles
};

/// The metrics in the schema's order.
enum MetricIndex : std::size_t {
  time,
  launch_time,
  work_time,
  run_time,
  bound,
  used_threads,
  used_blocks,
  occupancy,
  waves,
  elements_each,
  thread_loss,
  block_loss,
  pair_time,
  pair_bound,
  speedup,
  span,
  caveat
};

Schema make_schema();

}  // namespace pimsweep::systems::parts::gpu_streams
