#pragma once

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/link_loads.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/traffic.h"

namespace pimsweep::hardware::noc::router {

/// Cycles from the creation of a packet to the arrival of its last flit in an empty network, for a packet that passes
/// `hops` routers (a mean may be given). Exact for switch traversal in one cycle; also in two cycles, unless the buffer
/// is too small for a credit loop or heads are as fast as body flits.
double zero_load_latency(const RouterSettings& settings, double hops, unsigned packet_size);

/// Injection rate in flits per node and cycle at which the first link is full: a link carries one flit per cycle, and a
/// virtual channel one packet at a time through route computation and both allocations. Imperfect matching by the
/// allocators and head-of-line blocking saturate a real network earlier.
double link_load_bound(const Lattice& lattice, const RouterSettings& settings, const LinkLoads& loads,
                       unsigned packet_size);

/// Closed-form estimate of simulate(): the zero-load latency plus queueing delays at each output, fed by its inputs at
/// random, and at each source. Blocking is not modeled, so the estimate is low near saturation.
TrafficResult estimate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic,
                       const LinkLoads& loads);

}  // namespace pimsweep::hardware::noc::router
