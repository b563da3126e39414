#pragma once

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/link_loads.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/synthetic_traffic.h"

namespace pimsweep::hardware::noc::router {

/// Cycles from a packet's creation to the arrival of its last flit in an empty network, for a packet that passes `hops`
/// routers (a mean may be given). Exact for switch traversal in one cycle; in two as well, unless the buffer is too
/// small for a credit loop or heads are as fast as other flits.
double zero_load_latency(const RouterSettings& settings, double hops, unsigned packet_size);

/// Injection rate in flits for each node and cycle at which the first link is full: a link carries one flit a cycle,
/// and a virtual channel one packet at a time through route computation and both allocations. Allocators that miss a
/// maximum matching, and head-of-line blocking, make a real network saturate earlier.
double link_load_bound(const Lattice& lattice, const RouterSettings& settings, const LinkLoads& loads,
                       unsigned packet_size);

/// Closed-form estimate of simulate(): the zero-load latency, and waiting times of a queue at each output that is fed
/// by its inputs at random, and at each source. Blocking is left out: near saturation the estimate is low.
TrafficResult estimate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic,
                       const LinkLoads& loads);

}  // namespace pimsweep::hardware::noc::router
