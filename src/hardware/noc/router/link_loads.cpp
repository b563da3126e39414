#include "hardware/noc/router/link_loads.h"

namespace pimsweep::hardware::noc::router {

LinkLoads::LinkLoads(const Lattice& lattice, const TrafficPattern& pattern)
    : ports_(lattice.ports()),
      turns_(std::size_t{lattice.routers()} * ports_ * ports_),
      halves_(std::size_t{lattice.routers()} * ports_ * 2) {
  bool ties = false;
  for (unsigned d = 0; d < lattice.dimensions(); ++d) {
    ties = ties || (lattice.topology() == Topology::torus && lattice.radix(d) % 2 == 0);
  }
  const auto walk = [&](std::uint32_t source, std::uint32_t destination, unsigned tie_up, double load) {
    lattice.walk(source, destination, tie_up, [&](unsigned router, unsigned input, Lattice::Step step) {
      turns_[(std::size_t{router} * ports_ + input) * ports_ + step.output] += load;
      halves_[2 * (std::size_t{router} * ports_ + step.output) + (step.upper_half ? 1 : 0)] += load;
    });
  };
  for (std::uint32_t source = 0; source < lattice.nodes(); ++source) {
    for (std::uint32_t destination = 0; destination < lattice.nodes(); ++destination) {
      const double probability = pattern.probability(source, destination);
      if (probability == 0) continue;
      mean_hops_ += probability * lattice.hops(source, destination);
      // A tie in one dimension does not change the route in another, so that two walks load every link correctly.
      walk(source, destination, 0, ties ? probability / 2 : probability);
      if (ties) walk(source, destination, ~0U, probability / 2);
    }
  }
  mean_hops_ /= lattice.nodes();
}

double LinkLoads::output(unsigned router, unsigned output) const {
  double load = 0;
  for (unsigned input = 0; input < ports_; ++input) load += turn(router, input, output);
  return load;
}

}  // namespace pimsweep::hardware::noc::router
