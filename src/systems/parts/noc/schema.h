#pragma once

#include "systems/system.h"

namespace pimsweep::systems::parts::noc {

/// The axes in the schema's order.
enum AxisIndex : std::size_t {
  fidelity,
  topology,
  radix,
  dimensions,
  routing,
  traffic,
  injection_rate,
  packet_size,
  num_vcs,
  vc_buf_size,
  routing_delay,
  vc_alloc_delay,
  sw_alloc_delay,
  st_final_delay,
  credit_delay,
  speculative,
  alloc,
  use_noc_latency,
  sample_period,
  seed
};

/// The metrics in the schema's order.
enum MetricIndex : std::size_t {
  avg_packet_latency,
  avg_network_latency,
  avg_hops,
  accepted_flit_rate,
  saturated,
  zero_load,
  rate_bound,
  sim_cycles,
  flit_hops
};

Schema make_schema();

}  // namespace pimsweep::systems::parts::noc
