#pragma once

#include <cstdint>
#include <string>

namespace pimsweep::hardware::noc::router {

/// Synthetic traffic: each node creates packets at random times.
struct SyntheticTraffic {
  std::string pattern = "uniform";
  unsigned packet_size = 1;
  /// Flits per node and cycle; each node creates packets as a Bernoulli process.
  double injection_rate = 0.1;
  /// Cycles between two evaluations of the statistics.
  unsigned sample_period = 1000;
  std::uint64_t seed = 0;
};

/// Performance of a network under synthetic traffic. Latencies in cycles, rates in flits per node and cycle.
struct TrafficResult {
  /// Latency from the creation of a packet, and from its entry into the network, to the arrival of its last flit; NaN
  /// if unknown.
  double packet_latency;
  double network_latency;
  /// Mean number of routers passed.
  double hops;
  double accepted_rate;
  /// The network cannot carry the offered traffic; then only the accepted rate is meaningful.
  bool saturated;
  /// Cycles of the run including warm-up and drain, cycles of the measurement window, and flits that passed a router
  /// during the run; 0 for an estimate.
  std::uint64_t cycles = 0;
  std::uint64_t measured_cycles = 0;
  std::uint64_t flit_hops = 0;
};

}  // namespace pimsweep::hardware::noc::router
