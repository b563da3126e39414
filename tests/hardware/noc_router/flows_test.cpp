#include "hardware/noc/router/flows.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "hardware/noc/router/traffic_estimate.h"
#include "random_network.h"

using namespace pimsweep::hardware::noc::router;
using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

const PacketFormat format{8, 8};

}  // namespace

TEST_CASE("a transfer alone", "[flows]") {
  const Lattice mesh(Topology::mesh, 4, 2);
  RouterSettings settings;
  settings.virtual_channels = 4;
  const FlowsResult result = simulate_flows(mesh, settings, format, {{0, 15, 64, 100, {}}});
  CHECK(result.transfers[0].begin == 100);
  CHECK(static_cast<double>(result.makespan) == 100 + zero_load_latency(settings, 7, 8));
  CHECK(result.flit_hops == 7 * 8);
  CHECK(estimate_flows(mesh, settings, format, {{0, 15, 64, 100, {}}}).makespan == result.makespan);
}

TEST_CASE("one virtual channel lets through S flits in each routing + allocation + S cycles", "[flows]") {
  const Lattice pair(Topology::mesh, 2, 1);
  RouterSettings settings;
  settings.virtual_channels = 1;
  settings.buffer_size = 64;
  const auto makespan = [&](std::uint64_t packets, std::uint32_t size) {
    return simulate_flows(pair, settings, {8, size}, {{0, 1, packets * size * 8, 0, {}}}).makespan;
  };
  for (const std::uint32_t size : {1U, 4U, 8U}) {
    for (const unsigned routing : {0U, 1U}) {
      for (const bool speculative : {false, true}) {
        settings.routing_delay = routing;
        settings.speculative = speculative;
        CHECK(makespan(200, size) - makespan(100, size) == 100 * (routing + (speculative ? 0 : 1) + size));
      }
    }
  }
}

TEST_CASE("few credits limit a link to a buffer for each credit loop", "[flows]") {
  const Lattice row(Topology::mesh, 3, 1);
  RouterSettings settings;
  settings.virtual_channels = 1;
  for (const unsigned buffer : {1U, 2U, 3U}) {
    settings.buffer_size = buffer;
    const auto makespan = [&](std::uint64_t flits) {
      // One long packet, so that only body flits count.
      return simulate_flows(row, settings, {8, 4096}, {{0, 2, flits * 8, 0, {}}}).makespan;
    };
    const double each = static_cast<double>(makespan(2400) - makespan(1200)) / 1200;
    CHECK(each == Approx(static_cast<double>(settings.body_credit_loop()) / buffer));
  }
}

TEST_CASE("transfers wait for others and for their start", "[flows]") {
  const Lattice mesh(Topology::mesh, 4, 2);
  const RouterSettings settings;
  const std::vector<Transfer> transfers{
      {0, 5, 800, 0, {}}, {5, 9, 80, 0, {0}}, {9, 9, 0, 50, {1}}, {2, 3, 8, 1000, {}}};
  const FlowsResult result = simulate_flows(mesh, settings, format, transfers);
  CHECK(result.transfers[1].begin == result.transfers[0].end);
  CHECK(result.transfers[2].begin == result.transfers[1].end);
  CHECK(result.transfers[2].end == result.transfers[2].begin);
  CHECK(result.transfers[3].begin == 1000);
  CHECK(result.makespan == result.transfers[3].end);
}

TEST_CASE("a node sends one transfer after another, or a packet of each in turn", "[flows]") {
  const Lattice mesh(Topology::mesh, 5, 2);
  const RouterSettings settings;
  // From the middle to its four neighbors, 20 packets each.
  std::vector<Transfer> transfers;
  for (const std::uint32_t neighbor : {7U, 11U, 13U, 17U}) transfers.push_back({12, neighbor, 20 * 64, 0, {}});
  PacketFormat turns = format;
  turns.in_turn = true;
  const FlowsResult one_by_one = simulate_flows(mesh, settings, format, transfers);
  const FlowsResult in_turn = simulate_flows(mesh, settings, turns, transfers);
  CHECK(in_turn.makespan == one_by_one.makespan);
  for (std::size_t i = 1; i < transfers.size(); ++i) {
    CHECK(one_by_one.transfers[i].end - one_by_one.transfers[i - 1].end == 20 * 8);
    CHECK(in_turn.transfers[i].end > in_turn.transfers[i - 1].end);
  }
  // Its last two rounds.
  CHECK(in_turn.makespan - in_turn.transfers[0].end <= 2 * 4 * 8);
}

TEST_CASE("a node sends transfers of a lower rank first", "[flows]") {
  const Lattice mesh(Topology::mesh, 5, 2);
  const RouterSettings settings;
  // The last one can begin when the others have begun, and is through before they are.
  std::vector<Transfer> transfers;
  for (const std::uint32_t neighbor : {7U, 11U, 13U}) transfers.push_back({12, neighbor, 20 * 64, 0, {}, 1});
  transfers.push_back({12, 17, 20 * 64, 100, {}, 0});
  for (const bool in_turn : {false, true}) {
    PacketFormat each = format;
    each.in_turn = in_turn;
    const FlowsResult result = simulate_flows(mesh, settings, each, transfers);
    const FlowsResult alone = simulate_flows(mesh, settings, each, {transfers.back()});
    CHECK(result.transfers[3].end <= alone.makespan + format.max_flits);
    CHECK(result.transfers[2].end == result.makespan);
  }
}

TEST_CASE("bad transfers are refused", "[flows]") {
  const Lattice mesh(Topology::mesh, 2, 2);
  const RouterSettings settings;
  CHECK_THROWS_WITH(simulate_flows(mesh, settings, format, {{0, 4, 8, 0, {}}}), Catch::Contains("nodes are 0 to 3"));
  CHECK_THROWS_WITH(simulate_flows(mesh, settings, format, {{0, 1, 8, 0, {7}}}), Catch::Contains("transfer 7"));
  const std::vector<Transfer> circle{{0, 1, 8, 0, {1}}, {1, 2, 8, 0, {0}}};
  CHECK_THROWS_WITH(simulate_flows(mesh, settings, format, circle), Catch::Contains("after itself"));
  CHECK_THROWS_WITH(estimate_flows(mesh, settings, format, circle), Catch::Contains("after itself"));
}

namespace {

std::vector<Transfer> random_transfers(Random& random, const Lattice& lattice) {
  std::vector<Transfer> transfers(between(random, 1, 40));
  for (std::uint32_t t = 0; t < transfers.size(); ++t) {
    transfers[t] = {
        random.below(lattice.nodes()), random.below(lattice.nodes()), random.below(600), random.below(200), {}};
    if (t > 0 && random.below(2) == 0) transfers[t].after.push_back(random.below(t));
  }
  return transfers;
}

}  // namespace

TEST_CASE("flits of twice the bytes are not slower", "[flows]") {
  Random random(8, 0);
  double narrow_cycles = 0;
  double wide_cycles = 0;
  for (int i = 0; i < 100; ++i) {
    const Lattice lattice = random_lattice(random);
    const RouterSettings settings = random_settings(random, lattice);
    const std::vector<Transfer> transfers = random_transfers(random, lattice);
    const std::uint64_t narrow = simulate_flows(lattice, settings, {8, 8}, transfers).makespan;
    const std::uint64_t wide = simulate_flows(lattice, settings, {16, 8}, transfers).makespan;
    CHECK(wide <= narrow);
    narrow_cycles += static_cast<double>(narrow);
    wide_cycles += static_cast<double>(wide);
  }
  CHECK(wide_cycles < 0.8 * narrow_cycles);
}

TEST_CASE("random transfers: every byte arrives, never before its time", "[flows]") {
  Random random(7, 0);
  for (int i = 0; i < 60; ++i) {
    const Lattice lattice = random_lattice(random);
    const RouterSettings settings = random_settings(random, lattice);
    const std::vector<Transfer> transfers = random_transfers(random, lattice);
    std::uint64_t hops = 0;
    for (const Transfer& transfer : transfers) {
      hops += (transfer.bytes + 7) / 8 * lattice.hops(transfer.source, transfer.destination);
    }
    const FlowsResult result = simulate_flows(lattice, settings, format, transfers);
    const FlowsResult guess = estimate_flows(lattice, settings, format, transfers);
    CHECK(result.flit_hops == hops);
    CHECK(guess.flit_hops == hops);
    for (std::uint32_t t = 0; t < transfers.size(); ++t) {
      const FlowsResult::Times& times = result.transfers[t];
      CHECK(times.begin >= transfers[t].start);
      for (const std::uint32_t before : transfers[t].after) CHECK(times.begin >= result.transfers[before].end);
      const std::uint64_t flits = (transfers[t].bytes + 7) / 8;
      const unsigned routers = lattice.hops(transfers[t].source, transfers[t].destination);
      if (flits == 0) continue;
      CHECK(times.end - times.begin >= flits + 2 - settings.link_latency +
                                           std::uint64_t{routers} * (settings.router_delay() + settings.link_latency));
      CHECK(times.end <= result.makespan);
    }
  }
}
