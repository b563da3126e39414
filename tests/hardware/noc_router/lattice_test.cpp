#include "hardware/noc/router/lattice.h"

#include <catch2/catch.hpp>

#include "hardware/noc/router/link_loads.h"
#include "random_network.h"

using namespace pimsweep::noc;

TEST_CASE("a route takes as many steps as there are hops", "[lattice]") {
  Random random(1, 0);
  for (int i = 0; i < 300; ++i) {
    const Lattice lattice = random_lattice(random);
    const unsigned source = random.below(lattice.nodes());
    const unsigned destination = random.below(lattice.nodes());
    const auto ties = static_cast<unsigned>(random.bits());
    unsigned at = source;
    unsigned input = lattice.node_port();
    bool upper = false;
    unsigned dimension = 0;
    unsigned hops = 1;
    for (;; ++hops) {
      REQUIRE(hops <= lattice.hops(source, destination));
      const Lattice::Step step = lattice.route(at, destination, input, upper, ties);
      if (step.output == lattice.node_port()) break;
      // Dimensions in order; the half of a ring is kept.
      CHECK(step.output / 2 >= dimension);
      if (input != lattice.node_port() && step.output / 2 == input / 2) CHECK(step.upper_half == upper);
      dimension = step.output / 2;
      upper = step.upper_half;
      at = lattice.neighbour(at, step.output);
      input = step.output ^ 1U;
    }
    CHECK(at == destination);
    CHECK(hops == lattice.hops(source, destination));
  }
}

TEST_CASE("mean hops of uniform traffic", "[lattice]") {
  // 1 + 2 (k^2 - 1) / (3 k) on a mesh, 1 + k / 2 on a torus of even k.
  const Lattice mesh(Topology::mesh, 8, 2);
  CHECK(LinkLoads(mesh, TrafficPattern("uniform", mesh)).mean_hops() == Approx(1 + 2 * 63 / 24.0));
  const Lattice torus(Topology::torus, 8, 2);
  const LinkLoads loads(torus, TrafficPattern("uniform", torus));
  CHECK(loads.mean_hops() == Approx(5));
  // Every link alike: k / 8 of a node's flits.
  for (unsigned output = 0; output < 4; ++output) CHECK(loads.output(27, output) == Approx(1.0));
  CHECK(loads.output(27, 4) == Approx(1.0));
}

TEST_CASE("loads add up to hops", "[lattice]") {
  for (const char* name : {"uniform", "transpose", "bitcomp", "tornado", "neighbor", "hotspot_n5_w9"}) {
    for (const Topology topology : {Topology::mesh, Topology::torus}) {
      const Lattice lattice(topology, 4, 2);
      const LinkLoads loads(lattice, TrafficPattern(name, lattice));
      double sum = 0;
      for (unsigned router = 0; router < 16; ++router) {
        for (unsigned output = 0; output < 5; ++output) {
          sum += loads.output(router, output);
          CHECK(loads.half(router, output, false) + loads.half(router, output, true) ==
                Approx(loads.output(router, output)));
        }
      }
      CHECK(sum / 16 == Approx(loads.mean_hops()));
    }
  }
}
