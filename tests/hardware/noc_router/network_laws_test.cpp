#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "hardware/noc/router/router_network.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "random_network.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

/// Cycles of one packet in an empty network.
std::uint64_t alone(const Lattice& lattice, const RouterSettings& settings, Packet packet) {
  const std::unique_ptr<RouterNetwork> network = make_router_network(lattice, settings);
  for (bool sent = false;; sent = true) {
    network->begin_cycle();
    if (!network->delivered().empty()) return network->time();
    if (!sent) network->send(packet);
    network->finish_cycle();
    REQUIRE(network->time() < 100000);
  }
}

/// Every node sends packets as fast as it can for a while: all arrive, once, not before their time, and nothing is
/// left.
void flood(Random& random) {
  const Lattice lattice = random_lattice(random);
  const RouterSettings settings = random_settings(random, lattice);
  INFO("k " << lattice.radix() << " n " << lattice.dimensions() << " torus " << (lattice.topology() == Topology::torus)
            << " vcs " << settings.virtual_channels << " buffer " << settings.buffer_size << " speculative "
            << settings.speculative);
  const std::unique_ptr<RouterNetwork> network = make_router_network(lattice, settings);
  const unsigned longest = between(random, 1, 12);
  const unsigned cycles = between(random, 20, 120);
  std::vector<std::uint32_t> free(lattice.nodes());
  for (std::uint32_t node = 0; node < lattice.nodes(); ++node) free[node] = node;
  std::vector<bool> arrived;
  std::uint64_t flits = 0;
  std::uint64_t hops = 0;
  std::uint64_t last_arrival = 0;
  while (network->time() < cycles || !network->empty()) {
    network->begin_cycle();
    for (const Packet& packet : network->delivered()) {
      REQUIRE(!arrived[packet.tag]);
      arrived[packet.tag] = true;
      last_arrival = network->time();
      const unsigned routers = lattice.hops(packet.source, packet.destination);
      flits += packet.flits;
      hops += std::uint64_t{routers} * packet.flits;
      const std::uint64_t shortest = 3 - settings.link_latency + packet.flits - 1 +
                                     std::uint64_t{routers} * (settings.router_delay() + settings.link_latency);
      REQUIRE(network->time() - packet.entered >= shortest);
      REQUIRE(packet.entered >= packet.created);
    }
    for (const std::uint32_t node : network->freed_sources()) free.push_back(node);
    if (network->time() < cycles) {
      for (const std::uint32_t node : free) {
        Packet packet;
        packet.source = node;
        packet.destination = random.below(lattice.nodes());
        packet.flits = between(random, 1, longest);
        packet.tag = static_cast<std::uint32_t>(arrived.size());
        packet.created = network->time();
        packet.tie_up = static_cast<std::uint32_t>(random.bits());
        arrived.push_back(false);
        network->send(packet);
      }
      free.clear();
    }
    network->finish_cycle();
    // No deadlock: something arrives again and again.
    REQUIRE(network->time() < std::max<std::uint64_t>(last_arrival, cycles) + 5000);
  }
  for (const bool one : arrived) REQUIRE(one);
  REQUIRE(network->taken_flits() == flits);
  REQUIRE(network->flit_hops() == hops);
  REQUIRE(network->age_of_flits_under_way() == 0);
}

/// An arrival: time, tag, entry.
using Arrival = std::array<std::uint64_t, 3>;

/// Arrivals of random packets in a network of so many tiles, in order, and the flit hops. Every node has its own random
/// numbers, and sends packets as fast as it can for 60 cycles. At a time a copy of the network may take its place.
std::pair<std::vector<Arrival>, std::uint64_t> run_tiles(const Lattice& lattice, const RouterSettings& settings,
                                                         unsigned tiles, std::uint64_t seed,
                                                         std::uint64_t copied_at = ~std::uint64_t{0}) {
  std::unique_ptr<RouterNetwork> network = make_router_network(lattice, settings, tiles);
  std::vector<Random> random;
  for (std::uint32_t node = 0; node < lattice.nodes(); ++node) random.emplace_back(seed, node);
  std::vector<std::uint32_t> sent(lattice.nodes());
  const auto send = [&](unsigned tile, std::uint32_t node) {
    Packet packet;
    packet.source = node;
    packet.destination = random[node].below(lattice.nodes());
    packet.flits = 1 + random[node].below(6);
    packet.tie_up = static_cast<std::uint32_t>(random[node].bits());
    packet.tag = node + lattice.nodes() * sent[node]++;
    packet.created = network->time(tile);
    network->send(tile, packet);
  };
  std::pair<std::vector<Arrival>, std::uint64_t> found;
  for (bool empty = false; !empty;) {
    if (network->time(0) == copied_at) {
      std::unique_ptr<RouterNetwork> copy = make_router_network(lattice, settings, tiles);
      for (unsigned tile = 0; tile < network->tiles(); ++tile) copy->copy_tile(tile, *network);
      network = std::move(copy);
    }
    TrafficCounts counts;
    for (unsigned tile = 0; tile < network->tiles(); ++tile) {
      network->begin_cycle(tile);
      const std::uint64_t now = network->time(tile);
      for (const Packet& packet : network->delivered(tile)) found.first.push_back({now, packet.tag, packet.entered});
      for (std::uint32_t node = network->first_node(tile); now == 0 && node < network->first_node(tile + 1); ++node) {
        send(tile, node);
      }
      for (const std::uint32_t node : network->freed_sources(tile)) {
        if (now < 60) send(tile, node);
      }
      network->finish_cycle(tile);
      counts += network->counts(tile);
    }
    empty = counts.empty();
    found.second = counts.flit_hops;
  }
  std::sort(found.first.begin(), found.first.end());
  return found;
}

}  // namespace

TEST_CASE("a packet alone takes the zero-load latency", "[network]") {
  Random random(4, 0);
  for (int i = 0; i < 500; ++i) {
    const Lattice lattice = random_lattice(random);
    RouterSettings settings = random_settings(random, lattice);
    // The formula knows traversal in one cycle; in two if credits never run short and a head takes as long as two
    // flits.
    settings.switch_traversal_delay = between(random, 1, 2);
    if (settings.switch_traversal_delay == 2) settings.buffer_size = 40;
    if (settings.routing_delay == 0 && settings.speculative) settings.switch_traversal_delay = 1;
    Packet packet;
    packet.source = random.below(lattice.nodes());
    packet.destination = random.below(lattice.nodes());
    packet.flits = between(random, 1, 12);
    packet.tie_up = static_cast<std::uint32_t>(random.bits());
    const unsigned hops = lattice.hops(packet.source, packet.destination);
    // Links of nodes are shorter than those between routers: in one router alone a packet may find its credits earlier.
    if (hops == 1 && packet.flits > settings.buffer_size) continue;
    INFO("hops " << hops << " flits " << packet.flits << " buffer " << settings.buffer_size << " link "
                 << settings.link_latency << " credit link " << settings.credit_latency << " credit delay "
                 << settings.credit_delay << " rd " << settings.routing_delay << " st "
                 << settings.switch_traversal_delay << " spec " << settings.speculative);
    CHECK(static_cast<double>(alone(lattice, settings, packet)) == zero_load_latency(settings, hops, packet.flits));
  }
}

TEST_CASE("packets and flits are conserved and nothing locks up", "[network]") {
  Random random(5, 0);
  for (int i = 0; i < 150; ++i) flood(random);
}

TEST_CASE("the same on 10000 networks", "[.][many]") {
  Random random(6, 0);
  for (int i = 0; i < 10000; ++i) flood(random);
}

TEST_CASE("a network that cannot be names everything that is wrong", "[network]") {
  RouterSettings settings;
  settings.virtual_channels = 3;
  settings.buffer_size = 0;
  const Lattice lattice(Topology::torus, 4, 2);
  CHECK(problems_of(Topology::torus, 4, 2, settings).size() == 2);
  CHECK_THROWS_WITH(make_router_network(lattice, settings),
                    Catch::Contains("must be even") && Catch::Contains("vc_buf_size is 0, 1 to 1024 are allowed"));
  settings = {};
  CHECK(problems_of(Topology::mesh, 300, 2, settings).size() == 1);
  settings.virtual_channels = 20;
  CHECK_THAT(problems_of(Topology::mesh, 2, 3, settings).at(0), Catch::Contains("at most 18"));
}

TEST_CASE("every packet arrives when it does in one tile, whatever the tiles", "[laws]") {
  Random random(31, 0);
  for (int i = 0; i < 60; ++i) {
    const Lattice lattice = random_lattice(random);
    const RouterSettings settings = random_settings(random, lattice);
    const std::uint64_t seed = random.bits();
    const auto one = run_tiles(lattice, settings, 1, seed);
    CHECK(one.first.size() >= lattice.nodes());
    const unsigned tiles = between(random, 2, std::min(lattice.routers(), 20U));
    CAPTURE(i, tiles);
    CHECK(run_tiles(lattice, settings, tiles, seed) == one);
  }
}

TEST_CASE("a copy of a network goes on like the original", "[laws]") {
  Random random(32, 0);
  for (int i = 0; i < 60; ++i) {
    const Lattice lattice = random_lattice(random);
    const RouterSettings settings = random_settings(random, lattice);
    const std::uint64_t seed = random.bits();
    const unsigned tiles = between(random, 1, std::min(lattice.routers(), 4U));
    const unsigned copied_at = between(random, 0, 90);
    CAPTURE(i, tiles, copied_at);
    CHECK(run_tiles(lattice, settings, tiles, seed, copied_at) == run_tiles(lattice, settings, tiles, seed));
  }
}
