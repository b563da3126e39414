#include "hardware/noc/router/link_loads.h"

#include <numeric>

#include "hardware/noc/router/all_pairs.h"

namespace pimsweep::hardware::noc::router {

namespace {

/// True if both directions around a ring may be equally long.
bool has_ties(const Lattice& lattice) {
  bool ties = false;
  for (unsigned d = 0; d < lattice.dimensions(); ++d) {
    ties = ties || (lattice.topology() == Topology::torus && lattice.radix(d) % 2 == 0);
  }
  return ties;
}

}  // namespace

LinkLoads::LinkLoads(const Lattice& lattice, const TrafficPattern& pattern)
    : ports_(lattice.ports()),
      turns_(std::size_t{lattice.routers()} * ports_ * ports_),
      halves_(std::size_t{lattice.routers()} * ports_ * 2) {
  // A tie in one dimension does not change the route in another, so two walks load every link correctly.
  const unsigned walks = has_ties(lattice) ? 2 : 1;
  for (unsigned walk = 0; walk < walks; ++walk) {
    const unsigned tie_up = walk == 0 ? 0 : ~0U;
    if (pattern.reaches_all()) add_all_pairs(lattice, tie_up);
    for (std::uint32_t source = 0; source < lattice.nodes(); ++source) {
      const TrafficPattern::Preference preferred = pattern.preference(source);
      if (preferred.weight != 0) add_route(lattice, source, preferred.destination, tie_up, preferred.weight);
    }
  }
  divide(static_cast<double>(pattern.total_weight()) * walks, lattice.nodes());
}

double LinkLoads::output(unsigned router, unsigned output) const {
  double load = 0;
  for (unsigned input = 0; input < ports_; ++input) load += turn(router, input, output);
  return load;
}

void LinkLoads::add_route(const Lattice& lattice, std::uint32_t source, std::uint32_t destination, unsigned tie_up,
                          double weight) {
  lattice.walk(source, destination, tie_up, [&](unsigned router, unsigned input, Lattice::Step step) {
    turns_[turn_index(router, input, step.output)] += weight;
    halves_[half_index(router, step.output, step.upper_half)] += weight;
  });
}

void LinkLoads::add_all_pairs(const Lattice& lattice, unsigned tie_up) {
  const AllPairs pairs(lattice, tie_up);
  for (unsigned router = 0; router < lattice.routers(); ++router) {
    for (unsigned output = 0; output < ports_; ++output) {
      for (unsigned input = 0; input < ports_; ++input) {
        turns_[turn_index(router, input, output)] += pairs.turn(router, input, output);
      }
      for (const bool upper : {false, true}) {
        halves_[half_index(router, output, upper)] += pairs.half(router, output, upper);
      }
    }
  }
}

void LinkLoads::divide(double packets_of_node, unsigned nodes) {
  // Each packet is counted once at each router that it passes.
  mean_hops_ = std::accumulate(turns_.begin(), turns_.end(), 0.0) / (packets_of_node * nodes);
  for (double& load : turns_) load /= packets_of_node;
  for (double& load : halves_) load /= packets_of_node;
}

}  // namespace pimsweep::hardware::noc::router
