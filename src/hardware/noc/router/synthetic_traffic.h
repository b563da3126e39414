#pragma once

#include <cstdint>
#include <string>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/traffic_pattern.h"

namespace pimsweep::hardware::noc::router {

/// Every node creates packets at random times.
struct SyntheticTraffic {
  std::string pattern = "uniform";
  unsigned packet_size = 1;
  /// Flits per node and cycle; the packets of a node are a Bernoulli process.
  double injection_rate = 0.1;
  /// Cycles between two evaluations of the statistics.
  unsigned sample_period = 1000;
  std::uint64_t seed = 0;
};

/// Performance of a network under synthetic traffic. Latencies in cycles, rates in flits per node and cycle.
struct TrafficResult {
  /// Latency from a packet's creation, and from its entry into the network, to its last flit's arrival; NaN if unknown.
  double packet_latency;
  double network_latency;
  /// Routers passed.
  double hops;
  double accepted_rate;
  /// Whether the network cannot carry the offered traffic; then only the accepted rate is meaningful.
  bool saturated;
  /// Cycles of the run including warm-up and drain, cycles of its measuring window, and flits that passed a router in
  /// the run; 0 for an estimate.
  std::uint64_t cycles = 0;
  std::uint64_t measured_cycles = 0;
  std::uint64_t flit_hops = 0;
};

/// The shortest sample period: within the periods of the warm-up a packet on the longest route arrives in an empty
/// network. With a shorter one the network is still filling up while it is measured, accepts less than it is offered,
/// and seems saturated.
unsigned min_sample_period(const Lattice& lattice, const RouterSettings& settings, unsigned packet_size);

/// Runs the network under the rules of BookSim 2.0: three sample periods to warm up; then periods in which packets are
/// measured, until mean latency and accepted rate changed by less than 5 % in three consecutive periods, or ten periods
/// in all have passed; then until every measured packet has arrived, under continuing traffic; then until the network
/// is empty. If the mean latency exceeds 500 cycles, or less than 95 % of the offered traffic is accepted (and the
/// random number of packets is not the reason), the network is saturated: it is run for its accepted rate alone. That
/// run is the same up to the period in which saturation shows, and goes on there, unless the accepted rate converged
/// earlier: then it goes on from the state that the network had at that time.
/// With the threads that the current point may use (base/threads.h), which change nothing in the result.
///
/// Throws std::invalid_argument for an invalid network or traffic, and for a period below min_sample_period().
TrafficResult simulate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic);

}  // namespace pimsweep::hardware::noc::router
