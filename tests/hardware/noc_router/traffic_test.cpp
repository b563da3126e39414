#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "base/threads.h"
#include "hardware/noc/router/synthetic_traffic.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "random_network.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep::hardware::noc;
using namespace pimsweep;

TEST_CASE("patterns", "[traffic]") {
  const Lattice mesh(Topology::mesh, 4, 2);
  Random random(1, 0);
  CHECK(TrafficPattern("transpose", mesh).destination(4 * 1 + 2, random) == 4 * 2 + 1);
  CHECK(TrafficPattern("bitcomp", mesh).destination(1, random) == 14);
  CHECK(TrafficPattern("tornado", mesh).destination(4 * 3 + 2, random) == 3);
  CHECK(TrafficPattern("neighbor", mesh).destination(4 * 3 + 2, random) == 3);
  // The hot node has 9 of 24 shares.
  const TrafficPattern hot("hotspot_n5_w9", mesh);
  int hits = 0;
  for (int i = 0; i < 24000; ++i) hits += hot.destination(0, random) == 5 ? 1 : 0;
  CHECK(std::abs(hits - 9000) < 4 * std::sqrt(24000 * 9 * 15 / (24.0 * 24)));
  CHECK_THROWS_WITH(TrafficPattern("tornada", mesh), Catch::Contains("did you mean 'tornado'?"));
  CHECK_THROWS_WITH(TrafficPattern("hotspot_n16_w9", mesh), Catch::Contains("0 to 15"));
  CHECK_THROWS_WITH(TrafficPattern("hotspot_n1_w9x", mesh), Catch::Contains("hotspot_nH_wW"));
  const Lattice odd(Topology::mesh, 3, 2);
  CHECK_THROWS_WITH(TrafficPattern("transpose", odd), Catch::Contains("not 9"));
}

TEST_CASE("a run depends on its seed alone, and offers the requested load", "[traffic]") {
  const Lattice mesh(Topology::mesh, 4, 2);
  const RouterSettings settings;
  SyntheticTraffic traffic;
  traffic.packet_size = 2;
  traffic.injection_rate = 0.2;
  traffic.seed = 7;
  const TrafficResult first = simulate(mesh, settings, traffic);
  const TrafficResult again = simulate(mesh, settings, traffic);
  CHECK(first.packet_latency == again.packet_latency);
  CHECK(first.flit_hops == again.flit_hops);
  CHECK(!first.saturated);
  const double packets = static_cast<double>(first.measured_cycles) * 16 * 0.1;
  CHECK(std::abs(first.accepted_rate / 0.2 - 1) < 4 / std::sqrt(packets));
  traffic.seed = 8;
  CHECK(simulate(mesh, settings, traffic).packet_latency != first.packet_latency);
}

TEST_CASE("latency rises with load, from the zero-load latency on; the estimate lies between", "[traffic]") {
  const Lattice torus(Topology::torus, 4, 2);
  RouterSettings settings;
  settings.link_latency = settings.credit_latency = 2;
  const LinkLoads loads(torus, TrafficPattern("bitcomp", torus));
  SyntheticTraffic traffic;
  traffic.pattern = "bitcomp";
  traffic.packet_size = 4;
  traffic.sample_period = 4000;
  // Half of the ways round are ties, so that the mean of few packets is off by some hops' share.
  const double empty = zero_load_latency(settings, loads.mean_hops(), traffic.packet_size);
  double last = empty;
  double last_guess = empty;
  for (const double rate : {0.1, 0.25, 0.4, 0.5}) {
    traffic.injection_rate = rate;
    const TrafficResult result = simulate(torus, settings, traffic);
    const TrafficResult guess = estimate(torus, settings, traffic, loads);
    CHECK(result.packet_latency > last);
    CHECK(guess.packet_latency > last_guess);
    CHECK(result.network_latency <= result.packet_latency);
    last = result.packet_latency;
    last_guess = guess.packet_latency;
  }
}

TEST_CASE("a sample period is long enough for the longest route, and one that is not is refused", "[traffic]") {
  RouterSettings settings;
  const Lattice mesh(Topology::mesh, 32, 2);
  SyntheticTraffic traffic;
  traffic.injection_rate = 0.07;
  const unsigned shortest = min_sample_period(mesh, settings, traffic.packet_size);
  CHECK(3 * shortest >= zero_load_latency(settings, 63, traffic.packet_size));
  CHECK(3 * (shortest - 1) < zero_load_latency(settings, 63, traffic.packet_size));
  // The first link is full at a rate of 0.125.
  traffic.sample_period = shortest;
  CHECK(!simulate(mesh, settings, traffic).saturated);
  traffic.sample_period = shortest - 1;
  CHECK_THROWS_WITH(simulate(mesh, settings, traffic),
                    Catch::Contains("sample_period") && Catch::Contains(std::to_string(shortest)));
  // A torus has half the diameter, a tree that of its levels.
  CHECK(min_sample_period(Lattice(Topology::torus, 32, 2), settings, 1) < 0.6 * shortest);
  CHECK(min_sample_period(Lattice(Topology::h_tree, 2, 5), settings, 1) < 0.3 * shortest);
  CHECK(min_sample_period(mesh, settings, 100) > shortest);
}

TEST_CASE("an overloaded network accepts less than offered and no more than its links carry", "[traffic]") {
  const Lattice mesh(Topology::mesh, 4, 2);
  const RouterSettings settings;
  const LinkLoads loads(mesh, TrafficPattern("transpose", mesh));
  SyntheticTraffic traffic;
  traffic.pattern = "transpose";
  traffic.injection_rate = 0.9;
  const TrafficResult result = simulate(mesh, settings, traffic);
  CHECK(result.saturated);
  CHECK(estimate(mesh, settings, traffic, loads).saturated);
  // Four nodes send to themselves and are not held up; the others share the links.
  CHECK(result.accepted_rate < 0.9);
  CHECK(link_load_bound(mesh, settings, loads, 1) == Approx(1 / 3.0));
}

TEST_CASE("threads change no bit", "[traffic]") {
  Random random(9, 0);
  for (int i = 0; i < 12; ++i) {
    const Topology kinds[] = {Topology::mesh, Topology::torus, Topology::h_tree};
    const Topology kind = kinds[i % 3];
    // Tiles that end within a row, too.
    const Lattice lattice = kind == Topology::h_tree ? Lattice(kind, 2, 7) : Lattice(kind, between(random, 15, 18), 2);
    const RouterSettings settings = random_settings(random, lattice);
    SyntheticTraffic traffic;
    traffic.packet_size = between(random, 1, 4);
    traffic.injection_rate = 0.05 * between(random, 1, 6);
    traffic.sample_period = min_sample_period(lattice, settings, traffic.packet_size);
    traffic.seed = random.bits();
    const TrafficResult alone = simulate(lattice, settings, traffic);
    for (const unsigned threads : {2U, 3U, 7U}) {
      const PointThreads allowed(threads);
      const TrafficResult found = simulate(lattice, settings, traffic);
      INFO(i << ' ' << threads);
      CHECK(found.flit_hops == alone.flit_hops);
      CHECK(found.cycles == alone.cycles);
      CHECK(found.measured_cycles == alone.measured_cycles);
      CHECK(found.accepted_rate == alone.accepted_rate);
      CHECK(found.saturated == alone.saturated);
      if (alone.saturated) continue;
      CHECK(found.packet_latency == alone.packet_latency);
      CHECK(found.network_latency == alone.network_latency);
      CHECK(found.hops == alone.hops);
    }
  }
}
