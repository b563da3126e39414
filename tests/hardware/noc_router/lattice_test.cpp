#include "hardware/noc/router/lattice.h"

#include <catch2/catch.hpp>

#include "hardware/noc/router/link_loads.h"
#include "random_network.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep::hardware::noc;
using namespace pimsweep;

TEST_CASE("a route takes as many steps as there are hops", "[lattice]") {
  Random random(1, 0);
  for (int i = 0; i < 300; ++i) {
    const Lattice lattice = random_lattice(random);
    const unsigned source = random.below(lattice.nodes());
    const unsigned destination = random.below(lattice.nodes());
    const auto ties = static_cast<unsigned>(random.bits());
    const bool tree = lattice.topology() == Topology::h_tree;
    unsigned at = lattice.router_of(source);
    unsigned input = lattice.port_of(source);
    bool upper = false;
    // Of the links on the way: what orders them, so that none waits for an earlier one.
    unsigned rank = 0;
    unsigned hops = 1;
    for (;; ++hops) {
      REQUIRE(hops <= lattice.hops(source, destination));
      const Lattice::Step step = lattice.route(at, destination, input, upper, ties);
      if (lattice.is_node_port(at, step.output)) {
        CHECK(step.output == lattice.port_of(destination));
        break;
      }
      const bool descends = step.output >= lattice.node_port();
      if (tree) {
        // Up, then down, a level at a time.
        const unsigned level = at / (lattice.nodes() / lattice.radix());
        const unsigned next = descends ? 2 * lattice.dimensions() - level : level + 1;
        CHECK(next > rank);
        rank = next;
      } else {
        // Dimensions in order; the half of a ring is kept.
        REQUIRE(!descends);
        CHECK(step.output / 2 >= rank);
        if (input < lattice.node_port() && step.output / 2 == input / 2) CHECK(step.upper_half == upper);
        rank = step.output / 2;
      }
      upper = step.upper_half;
      const unsigned there = lattice.neighbor(at, step.output);
      input = lattice.far_port(at, step.output);
      // The link leads back as well.
      CHECK(there != at);
      CHECK(lattice.neighbor(there, input) == at);
      CHECK(lattice.far_port(there, input) == step.output);
      at = there;
    }
    CHECK(at == lattice.router_of(destination));
    CHECK(hops == lattice.hops(source, destination));
  }
}

TEST_CASE("a table of routes on a mesh is what route() says", "[lattice]") {
  Random random(4, 0);
  for (int i = 0; i < 60; ++i) {
    const Lattice lattice = random_lattice(random);
    if (lattice.topology() != Topology::mesh) continue;
    const std::vector<std::uint8_t> table = lattice.route_table();
    REQUIRE(table.size() == std::size_t{lattice.routers()} * lattice.nodes());
    std::size_t wrong = 0;
    for (unsigned at = 0; at < lattice.routers(); ++at) {
      for (unsigned node = 0; node < lattice.nodes(); ++node) {
        const unsigned output = lattice.route(at, node, lattice.node_port(), false, 0).output;
        wrong += table[std::size_t{at} * lattice.nodes() + node] == output ? 0U : 1U;
      }
    }
    CHECK(wrong == 0);
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
    for (const Topology topology : {Topology::mesh, Topology::torus, Topology::h_tree}) {
      const Lattice lattice(topology, 4, 2);
      const LinkLoads loads(lattice, TrafficPattern(name, lattice));
      double sum = 0;
      for (unsigned router = 0; router < lattice.routers(); ++router) {
        for (unsigned output = 0; output < lattice.ports(); ++output) {
          sum += loads.output(router, output);
          CHECK(loads.half(router, output, false) + loads.half(router, output, true) ==
                Approx(loads.output(router, output)));
        }
      }
      CHECK(sum / 16 == Approx(loads.mean_hops()));
    }
  }
}

TEST_CASE("an H-tree has HyPar's links, and counterparts exchange without meeting", "[lattice]") {
  for (unsigned levels = 1; levels <= 7; ++levels) {
    const Lattice tree(Topology::h_tree, 2, levels);
    CHECK(tree.nodes() == 1U << levels);
    CHECK(tree.routers() == levels << (levels - 1));
    // Above a subtree of 2^j accelerators 2^j links go up; at the top none.
    for (unsigned router = 0; router < tree.routers(); ++router) {
      const bool top = router >= (levels - 1) << (levels - 1);
      for (unsigned up = 0; up < 2; ++up) CHECK((tree.neighbor(router, up) == router) == top);
    }
    for (unsigned bit = 0; bit < levels; ++bit) {
      std::vector<unsigned> carried(std::size_t{tree.routers()} * tree.ports());
      for (unsigned node = 0; node < tree.nodes(); ++node) {
        const unsigned other = node ^ (1U << bit);
        CHECK(tree.hops(node, other) == 2 * bit + 1);
        tree.walk(node, other, 0, [&](unsigned router, unsigned, Lattice::Step step) {
          CHECK(++carried[router * tree.ports() + step.output] == 1);
        });
      }
    }
    // Mean hops of uniform traffic: of k^n destinations (k-1) k^j have their highest different digit at j.
    double mean = 1.0 / tree.nodes();
    for (unsigned bit = 0; bit < levels; ++bit) mean += (2.0 * bit + 1) * (1U << bit) / tree.nodes();
    const LinkLoads loads(tree, TrafficPattern("uniform", tree));
    CHECK(loads.mean_hops() == Approx(mean));
    // Links are as wide as HyPar has them: alike in load, and no node waits for another's traffic.
    for (unsigned up = 0; up < 2 && levels > 1; ++up) CHECK(loads.output(0, up) == Approx(1 - 2.0 / tree.nodes()));
  }
}
