#include "hardware/noc/router/link_loads.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "random_network.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

/// Packets at each turn and in each half, from a walk along the route of every pair of nodes, in whole numbers: weights
/// of destinations, twice where a tie has two routes.
struct WalkedLoads {
  WalkedLoads(const Lattice& lattice, const TrafficPattern& pattern, unsigned walks)
      : ports(lattice.ports()),
        turns(std::size_t{lattice.routers()} * ports * ports),
        halves(turns.size() / ports * 2) {
    for (unsigned source = 0; source < lattice.nodes(); ++source) {
      for (unsigned destination = 0; destination < lattice.nodes(); ++destination) {
        const double weight = std::round(pattern.probability(source, destination) * pattern.total_weight());
        if (weight == 0) continue;
        hops += weight * walks * lattice.hops(source, destination);
        for (unsigned walk = 0; walk < walks; ++walk) {
          lattice.walk(source, destination, walk == 0 ? 0 : ~0U, [&](unsigned at, unsigned input, Lattice::Step step) {
            turns[(std::size_t{at} * ports + input) * ports + step.output] += weight;
            halves[2 * (std::size_t{at} * ports + step.output) + (step.upper_half ? 1 : 0)] += weight;
          });
        }
      }
    }
  }

  unsigned ports;
  std::vector<double> turns;
  std::vector<double> halves;
  double hops = 0;
};

std::string random_pattern(Random& random, const Lattice& lattice) {
  const auto hot = fmt::format("hotspot_n{}_w{}", random.below(lattice.nodes()), between(random, 1, 20));
  const std::string names[] = {"uniform", "bitcomp", "tornado", "neighbor", hot};
  return names[random.below(5)];
}

/// Number of loads of a lattice that are not the doubles nearest to those of all routes.
unsigned count_differences(const Lattice& lattice, const std::string& name) {
  const TrafficPattern pattern(name, lattice);
  bool ties = false;
  for (unsigned d = 0; d < lattice.dimensions(); ++d) {
    ties = ties || (lattice.topology() == Topology::torus && lattice.radix(d) % 2 == 0);
  }
  const unsigned walks = ties ? 2 : 1;
  const WalkedLoads walked(lattice, pattern, walks);
  const LinkLoads loads(lattice, pattern);
  const double packets = static_cast<double>(pattern.total_weight()) * walks;
  unsigned differences = loads.mean_hops() != walked.hops / (packets * lattice.nodes()) ? 1 : 0;
  for (unsigned router = 0; router < lattice.routers(); ++router) {
    for (unsigned output = 0; output < walked.ports; ++output) {
      const std::size_t link = std::size_t{router} * walked.ports + output;
      for (unsigned input = 0; input < walked.ports; ++input) {
        const double turn = walked.turns[(std::size_t{router} * walked.ports + input) * walked.ports + output];
        if (loads.turn(router, input, output) != turn / packets) ++differences;
      }
      for (const bool upper : {false, true}) {
        const double half = walked.halves[2 * link + (upper ? 1 : 0)];
        if (loads.half(router, output, upper) != half / packets) ++differences;
      }
    }
  }
  return differences;
}

}  // namespace

TEST_CASE("loads are those of the routes of all pairs of nodes, rounded once", "[lattice]") {
  Random random(3, 0);
  for (int i = 0; i < 300; ++i) {
    const Lattice lattice = random_lattice(random);
    const std::string name = random_pattern(random, lattice);
    CAPTURE(i, lattice.topology(), lattice.nodes(), lattice.dimensions(), lattice.concentration(), name);
    CHECK(count_differences(lattice, name) == 0);
  }
}

TEST_CASE("loads of large networks", "[lattice]") {
  for (const Topology topology : {Topology::mesh, Topology::torus, Topology::h_tree}) {
    const Lattice lattice(topology, 16, 2);
    for (const char* name : {"uniform", "transpose", "hotspot_n77_w1000"}) CHECK(count_differences(lattice, name) == 0);
  }
  // 128 x 128: 1 + 2 (k^2 - 1) / (3 k) routers; a link next to the middle carries what half of a row sends to the
  // other.
  const Lattice mesh(Topology::mesh, 128, 2);
  const LinkLoads loads(mesh, TrafficPattern("uniform", mesh));
  CHECK(loads.mean_hops() == Approx(1 + 2 * (128.0 * 128 - 1) / (3 * 128)).epsilon(1e-15));
  CHECK(loads.output(63, 0) == 32);
}
