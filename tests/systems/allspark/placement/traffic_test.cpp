#include <boost/range/iterator_range.hpp>
#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/noc/router/traffic_estimate.h"
#include "systems/allspark/placement/exchange_cache.h"
#include "systems/allspark/placement/interaction_traffic.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/allspark/placement/random_problems.h"

using namespace pimsweep::systems::allspark::placement;
using namespace pimsweep::systems::allspark;
using namespace pimsweep;

namespace {

InteractionNetwork mesh(std::int64_t rows, std::int64_t cols) { return {rows, cols, 1.0, {8, 8, true}, {}}; }

struct Case {
  PlacementProblem problem;
  Binding binding;
  std::int64_t rows;
  std::int64_t cols;
};

Case random_case(std::mt19937_64& random) {
  const auto [stage, blocks] = random_windows(random, pick(random, 1, 4));
  Case result;
  result.rows = pick(random, 1, 6);
  result.cols = pick(random, 1, 6);
  result.problem =
      make_problem(workload::branch_transfers(stage, blocks),
                   random_layers(random, blocks.branches, result.rows, result.cols), result.rows, result.cols);
  result.binding = bind_randomly(result.problem, random());
  return result;
}

}  // namespace

TEST_CASE("bytes are conserved: what reaches a branch's corner from outside and leaves it is what the graph says") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 60; ++round) {
    const Case a_case = random_case(random);
    const workload::BranchGraph& graph = a_case.problem.transfers;
    const InteractionTraffic traffic(a_case.problem, a_case.binding, mesh(a_case.rows, a_case.cols),
                                     InteractionRoute::corner);
    std::int64_t words = 0;
    std::int64_t off_node = 0;
    std::int64_t word_links = 0;
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
      const std::int64_t hops = distance(a_case.problem.slots[a_case.binding[boost::source(edge, graph)]],
                                         a_case.problem.slots[a_case.binding[boost::target(edge, graph)]]);
      words += graph[edge].words;
      off_node += hops > 0 ? graph[edge].words : 0;
      word_links += hops * graph[edge].words;
    }
    REQUIRE(traffic.bytes() == words);
    // The whole of every handover crosses its Manhattan distance, no more and no less.
    REQUIRE(traffic.handover_byte_hops() == word_links);
    REQUIRE(traffic.handover_byte_hops() == word_hops(a_case.problem, a_case.binding));
    REQUIRE(traffic.byte_hops() >= traffic.handover_byte_hops());
    std::int64_t carried = 0;
    for (const hardware::noc::router::Transfer& transfer : traffic.transfers()) {
      REQUIRE(transfer.source != transfer.destination);
      carried += static_cast<std::int64_t>(transfer.bytes);
    }
    REQUIRE(carried >= off_node);
    // Directly nothing is gathered: no byte goes twice, but for the rounding of shares.
    const InteractionTraffic direct(a_case.problem, a_case.binding, mesh(a_case.rows, a_case.cols),
                                    InteractionRoute::direct);
    std::int64_t sent = 0;
    for (const hardware::noc::router::Transfer& transfer : direct.transfers())
      sent += static_cast<std::int64_t>(transfer.bytes);
    REQUIRE(sent <= words + static_cast<std::int64_t>(direct.transfers().size()));
    REQUIRE(direct.byte_hops() == direct.handover_byte_hops());
  }
}

TEST_CASE("gathering and scattering move the shares of all nodes but the corner") {
  workload::BranchGraph graph(2);
  boost::add_edge(0, 1, workload::Handover{600}, graph);
  const PlacementProblem problem = make_problem(graph, {{2, 3, 2}}, 4, 3);
  const InteractionTraffic traffic(problem, {0, 1}, mesh(4, 3), InteractionRoute::corner);
  // Sub-arrays of 2 x 3: five shares of 100 B over 1 + 2 + 1 + 2 + 3 links on both sides, 600 B over 2 links between.
  CHECK(traffic.handover_byte_hops() == 1200);
  CHECK(traffic.byte_hops() == 1200 + 2 * 900);
  CHECK(traffic.transfers().size() == 11);
  CHECK(traffic.transfers()[5].after.size() == 5);
  CHECK(traffic.transfers()[6].after == std::vector<std::uint32_t>{5});
  CHECK(traffic.busiest_link_bytes() == 600);
  const InteractionTraffic direct(problem, {0, 1}, mesh(4, 3), InteractionRoute::direct);
  CHECK(direct.byte_hops() == 1200);
  CHECK(direct.busiest_link_bytes() == 200);
}

TEST_CASE("by formula an exchange takes the busiest link of each phase along its dependences") {
  workload::BranchGraph graph(3);
  boost::add_edge(0, 1, workload::Handover{600}, graph);
  boost::add_edge(2, 1, workload::Handover{80}, graph);
  // Two sub-arrays of 2 x 3 nodes above each other and one node below, which gathers nothing.
  const PlacementProblem problem = make_problem(graph, {{2, 3, 2}, {1, 1, 1}}, 4, 3);
  const InteractionTraffic traffic(problem, {0, 1, 2}, mesh(4, 3), InteractionRoute::corner);
  const auto way = [](unsigned routers) {
    return std::llround(hardware::noc::router::zero_load_latency({}, routers, 1)) - 1;
  };
  // Five shares of 13 flits to the corner, 75 flits and 10 from the node, both to one corner, five shares of 15 flits.
  const std::int64_t gathered = 5 * 13 + way(4);
  const std::int64_t handed_over = gathered + 75 + 10 + way(3);
  CHECK(traffic.estimated_cycles() == handed_over + 5 * 15 + way(4));
  CHECK(traffic.simulated_cycles() == Approx(static_cast<double>(traffic.estimated_cycles())).epsilon(0.1));
}

TEST_CASE("what is remembered is what would be found again, and belongs to its network") {
  std::mt19937_64 random(25);
  ExchangeCache cache;
  for (int round = 0; round < 5; ++round) {
    const Case a_case = random_case(random);
    for (int again = 0; again < 2; ++again) {
      for (const PlacementMethod& method : placement_methods()) {
        if (method.name == "ddam") continue;  // CBC takes a good part of a second.
        CHECK(cache.binding(a_case.problem, method, 2) == method.bind(a_case.problem, 2));
      }
      for (const std::uint32_t flit_bytes : {4U, 8U}) {
        InteractionNetwork network = mesh(a_case.rows, a_case.cols);
        network.format.flit_bytes = flit_bytes;
        const InteractionTraffic traffic(a_case.problem, a_case.binding, network, InteractionRoute::corner);
        CHECK(cache.simulated_cycles(traffic, 1e9) == traffic.simulated_cycles(1e9));
      }
    }
  }
}

TEST_CASE("the routers never take less than the busiest link or the furthest way, and carry every flit") {
  std::mt19937_64 random(22);
  for (int round = 0; round < 15; ++round) {
    const Case a_case = random_case(random);
    for (const InteractionRoute route : {InteractionRoute::corner, InteractionRoute::direct}) {
      const InteractionTraffic traffic(a_case.problem, a_case.binding, mesh(a_case.rows, a_case.cols), route);
      const std::int64_t simulated = traffic.simulated_cycles();
      INFO("round " << round << ": formula " << traffic.estimated_cycles() << ", routers " << simulated);
      REQUIRE((simulated == 0) == traffic.transfers().empty());
      REQUIRE((traffic.estimated_cycles() == 0) == traffic.transfers().empty());
      REQUIRE(simulated * 8 >= traffic.busiest_link_bytes());
      const hardware::noc::router::Lattice lattice(hardware::noc::router::Topology::mesh, traffic.side(), 2);
      unsigned routers = 0;
      for (const hardware::noc::router::Transfer& transfer : traffic.transfers()) {
        routers = std::max(routers, lattice.hops(transfer.source, transfer.destination));
      }
      if (routers > 0)
        REQUIRE(static_cast<double>(simulated) >= hardware::noc::router::zero_load_latency({}, routers, 1));
    }
  }
}

TEST_CASE("a part of a long exchange stands for the whole, by a tenth on average") {
  std::mt19937_64 random(24);
  int shortened = 0;
  double deviation = 0;
  for (int round = 0; round < 40; ++round) {
    const Case a_case = random_case(random);
    InteractionNetwork network = mesh(a_case.rows, a_case.cols);
    network.word_bytes = 4;
    for (const InteractionRoute route : {InteractionRoute::corner, InteractionRoute::direct}) {
      const InteractionTraffic traffic(a_case.problem, a_case.binding, network, route);
      const auto full = static_cast<double>(traffic.simulated_cycles());
      const auto found = static_cast<double>(traffic.simulated_cycles(20'000));
      INFO("round " << round << ": " << found << ", in full " << full);
      CHECK(found == Approx(full).epsilon(0.4));
      if (found == full) continue;
      ++shortened;
      deviation += std::abs(found / full - 1);
    }
  }
  CHECK(shortened > 10);
  CHECK(deviation / shortened < 0.1);
}
