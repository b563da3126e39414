#include "hardware/noc/exchange_network.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/visitors.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "flow_simulation.h"
#include "hardware/noc/h_tree.h"
#include "hardware/noc/torus.h"

using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

struct Case {
  std::string name;
  std::size_t levels;
  ExchangeNetwork network;
  FlowNetwork flows;
};

constexpr double bandwidth = 3e8;
constexpr TorusRouting routings[] = {TorusRouting::dimension_order, TorusRouting::balanced};
constexpr TorusMapping mappings[] = {TorusMapping::row_major, TorusMapping::alternating};

std::vector<Case> cases(std::size_t levels) {
  std::vector<Case> all;
  all.push_back({"H-tree", levels, h_tree(levels, bandwidth), tree_of_switches(levels, bandwidth)});
  for (const TorusRouting routing : routings) {
    for (const TorusMapping mapping : mappings) {
      all.push_back({"torus", levels, torus(levels, bandwidth, routing, mapping),
                     torus_of_nodes(levels, bandwidth, routing, mapping)});
    }
  }
  return all;
}

std::size_t counterpart(std::size_t node, std::size_t levels, std::size_t level) {
  return node ^ (std::size_t{1} << (levels - level));
}

/// Hops between accelerators by breadth-first search over the plain graph.
std::vector<std::size_t> distances_from(const FlowNetwork& network, std::size_t start) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  // A tree has as many vertices again.
  const std::size_t vertices = 2 * network.accelerators;
  Graph graph(vertices);
  for (const auto& [ends, link] : network.links) boost::add_edge(ends.first, ends.second, graph);
  std::vector<std::size_t> distance(vertices, 0);
  boost::breadth_first_search(
      graph, start,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(distance.data(), boost::on_tree_edge()))));
  return distance;
}

}  // namespace

TEST_CASE("H-tree: an exchange takes what its pair's bytes take through the accelerators' own links") {
  for (std::size_t levels = 0; levels <= 8; ++levels) {
    const ExchangeNetwork network = h_tree(levels, bandwidth);
    CHECK(network.levels() == levels);
    CHECK(network.bandwidth.size() == 4 * ((std::size_t{1} << levels) - 1));
    for (std::size_t level = 1; level <= levels; ++level) {
      const double group = std::exp2(levels - level);
      CHECK(network.seconds(level, 7e6) == Approx(7e6 / 2 / (group * bandwidth)).epsilon(1e-14));
      // Up and down H-h+1 links for every byte of 2^(h-1) pairs.
      const double hops = 2.0 * static_cast<double>(levels - level + 1);
      CHECK(network.link_bytes(level, 7e6) == Approx(7e6 * std::exp2(level - 1) * hops).epsilon(1e-14));
    }
  }
}

TEST_CASE("HyPar's H-tree of 16: halving the array doubles the time of the same bytes") {
  const ExchangeNetwork network = h_tree(4, 2e8);
  CHECK(network.seconds(1, 3.2e9) == Approx(1.0));
  CHECK(network.seconds(4, 3.2e9) == Approx(8.0));
}

TEST_CASE("loads are those of an independent walk of every flow, and every flow goes the shortest way") {
  for (std::size_t levels = 0; levels <= 7; ++levels) {
    for (const Case& c : cases(levels)) {
      INFO(c.name << " of " << (std::size_t{1} << levels));
      REQUIRE(c.network.accelerators() == c.flows.accelerators);
      REQUIRE(c.network.bandwidth.size() == c.flows.bandwidth.size());
      std::vector<std::vector<std::size_t>> distance;
      for (std::size_t node = 0; node < c.flows.accelerators; ++node) {
        // In the heap's order of a tree's vertices the accelerators come last.
        distance.push_back(distances_from(c.flows, c.name == "torus" ? node : node + c.flows.accelerators));
      }
      for (std::size_t level = 1; level <= levels; ++level) {
        const double share = c.network.flow_share(level);
        std::vector<double> walked(c.flows.bandwidth.size(), 0.0);
        double byte_hops = 0;
        for (std::size_t node = 0; node < c.flows.accelerators; ++node) {
          const std::size_t other = counterpart(node, levels, level);
          for (const FlowNetwork::Hop& hop : c.flows.routes[node][other]) walked[hop.link] += share * hop.part;
          byte_hops +=
              share * static_cast<double>(distance[node][c.name == "torus" ? other : other + c.flows.accelerators]);
        }
        CHECK(c.network.link_bytes(level, 1) == Approx(byte_hops).epsilon(1e-12));
        double longest = 0;
        for (std::size_t link = 0; link < walked.size(); ++link) {
          longest = std::max(longest, walked[link] / c.flows.bandwidth[link]);
        }
        CHECK(c.network.seconds(level, 1) == Approx(longest).epsilon(1e-12));
        std::vector<double> loads(c.network.bandwidth.size(), 0.0);
        for (const LinkLoad& load : c.network.exchanges[level - 1]) loads[load.link] = load.share;
        std::ranges::sort(loads);
        std::ranges::sort(walked);
        double difference = 0;
        for (std::size_t link = 0; link < loads.size(); ++link) {
          difference = std::max(difference, std::abs(loads[link] - walked[link]));
        }
        CHECK(difference <= 1e-12);
      }
    }
  }
}

TEST_CASE("no exchange is faster than the cut between the two groups allows") {
  for (std::size_t levels = 1; levels <= 6; ++levels) {
    for (const Case& c : cases(levels)) {
      // One way over the cut between the halves of the whole array; a switch belongs to the half below it.
      double cut = 0;
      const std::size_t half = c.flows.accelerators / 2;
      if (c.name == "torus") {
        for (const auto& [ends, link] : c.flows.links) {
          if (ends.first < half && ends.second >= half) cut += c.flows.bandwidth[link];
        }
      } else {
        cut = c.flows.bandwidth[c.flows.links.at({2, 1})];
      }
      INFO(c.name << " of " << c.flows.accelerators);
      CHECK(c.network.seconds(1, 1e6) * (1 + 1e-12) >= 0.5e6 / cut);
    }
  }
}

TEST_CASE("twice the bandwidth is half the time") {
  for (std::size_t level = 1; level <= 5; ++level) {
    CHECK(h_tree(5, 2e8).seconds(level, 1e6) == Approx(h_tree(5, 1e8).seconds(level, 1e6) / 2));
    for (const TorusMapping mapping : mappings) {
      const auto seconds = [&](double link) {
        return torus(5, link, TorusRouting::dimension_order, mapping).seconds(level, 1e6);
      };
      CHECK(seconds(2e8) == Approx(seconds(1e8) / 2));
    }
  }
}

TEST_CASE("the torus of 16 by hand") {
  // Rings of four: counterparts two apart share a ring of one-way links, counterparts side by side have their own.
  const auto seconds = [](TorusRouting routing, TorusMapping mapping, std::size_t level) {
    return torus(4, 1.0, routing, mapping).seconds(level, 16.0);
  };
  const auto order = TorusRouting::dimension_order;
  const auto rows = TorusMapping::row_major;
  const auto alternating = TorusMapping::alternating;
  CHECK(seconds(order, rows, 1) == 2.0);
  CHECK(seconds(order, rows, 2) == 2.0);
  CHECK(seconds(order, rows, 3) == 8.0);
  CHECK(seconds(order, rows, 4) == 8.0);
  CHECK(seconds(TorusRouting::balanced, rows, 1) == 1.0);
  CHECK(seconds(order, alternating, 1) == 2.0);
  CHECK(seconds(order, alternating, 2) == 4.0);
  CHECK(seconds(order, alternating, 3) == 4.0);
  CHECK(seconds(order, alternating, 4) == 8.0);
}

TEST_CASE("networks that cannot be are refused") {
  CHECK_THROWS_AS(h_tree(17, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(h_tree(4, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(torus(4, -1.0, routings[0], mappings[0]), std::invalid_argument);
  CHECK_THROWS_AS(torus(4, std::nan(""), routings[0], mappings[0]), std::invalid_argument);
  const ExchangeNetwork network = h_tree(2, 1.0);
  CHECK_THROWS_AS(network.seconds(0, 1.0), std::out_of_range);
  CHECK_THROWS_AS(network.seconds(3, 1.0), std::out_of_range);
}
