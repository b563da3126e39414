#include "hardware/noc/router/traffic_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pimsweep::hardware::noc::router {

namespace {

/// Flits per cycle that the virtual channels of a buffer sustain.
double channel_rate(const RouterSettings& settings, unsigned channels, unsigned packet_size) {
  const double head = settings.routing_delay + (settings.speculative ? 0.0 : 1.0);
  const double one = packet_size / (head + packet_size);
  return channels * one;
}

/// Mean wait, in service times, in a single-server queue fed in slotted time by several lines, each with at most one
/// customer per slot: Karol, Hluchyj and Morgan 1987 for equal lines, (n-1)/n x rho / (2 (1 - rho)), with the sum of
/// rho_i^2 in place of rho^2 / n.
double queue_wait(double load, double sum_of_squares) {
  return (load * load - sum_of_squares) / (2 * load * (1 - load));
}

}  // namespace

double zero_load_latency(const RouterSettings& settings, double hops, unsigned packet_size) {
  const double link = settings.link_latency;
  const double buffer = settings.buffer_size;
  // A packet longer than the buffer waits for credits once per buffer length.
  const double refills = std::ceil(packet_size / buffer) - 1;
  const double refill = std::max(0.0, settings.body_credit_loop() - buffer);
  // Two consecutive winning flits fall into different batches.
  const double batch = settings.switch_traversal_delay == 2 && packet_size > 1 ? 1 : 0;
  return 3 - link + hops * (settings.router_delay() + link) + (packet_size - 1.0) + refills * refill + batch;
}

double link_load_bound(const Lattice& lattice, const RouterSettings& settings, const LinkLoads& loads,
                       unsigned packet_size) {
  const unsigned channels = settings.virtual_channels;
  const bool torus = lattice.topology() == Topology::torus;
  // At a node: injection and ejection link, and the channels of the injection port.
  double bound = std::min(1.0, channel_rate(settings, channels, packet_size));
  for (unsigned router = 0; router < lattice.routers(); ++router) {
    for (unsigned output = 0; output < lattice.ports(); ++output) {
      const double load = loads.output(router, output);
      if (load == 0) continue;
      bound = std::min(bound, 1 / load);
      if (lattice.is_node_port(router, output)) continue;
      if (!torus) {
        bound = std::min(bound, channel_rate(settings, channels, packet_size) / load);
        continue;
      }
      const double half_rate = channel_rate(settings, channels / 2, packet_size);
      for (const bool upper : {false, true}) {
        if (const double half = loads.half(router, output, upper); half > 0) bound = std::min(bound, half_rate / half);
      }
    }
  }
  return bound;
}

TrafficResult estimate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic,
                       const LinkLoads& loads) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double rate = traffic.injection_rate;
  const double size = traffic.packet_size;
  const double bound = link_load_bound(lattice, settings, loads, traffic.packet_size);
  if (rate >= bound) return {nan, nan, loads.mean_hops(), bound, true};
  double wait = 0;
  for (unsigned router = 0; router < lattice.routers(); ++router) {
    for (unsigned output = 0; output < lattice.ports(); ++output) {
      const double load = rate * loads.output(router, output);
      double squares = 0;
      for (unsigned input = 0; input < lattice.ports(); ++input) {
        const double part = rate * loads.turn(router, input, output);
        squares += part * part;
      }
      if (load > 0) wait += load * size * queue_wait(load, squares);
    }
  }
  const double network =
      zero_load_latency(settings, loads.mean_hops(), traffic.packet_size) + wait / (rate * lattice.nodes());
  // Bernoulli arrivals; the flits of a packet are served one per cycle.
  const double source = rate * (size - 1) / (2 * (1 - rate));
  return {network + source, network, loads.mean_hops(), rate, false};
}

}  // namespace pimsweep::hardware::noc::router
