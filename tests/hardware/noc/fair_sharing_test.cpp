#include "hardware/noc/fair_sharing.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "hardware/noc/h_tree.h"
#include "hardware/noc/torus.h"

using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

/// Links, levels and shares without any pattern.
ExchangeNetwork random_network(std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> levels(1, 5);
  std::uniform_int_distribution<std::size_t> links(1, 12);
  std::uniform_real_distribution<double> amount(0.1, 2.0);
  std::bernoulli_distribution loaded(0.5);
  ExchangeNetwork network;
  network.bandwidth.resize(links(random));
  for (double& link : network.bandwidth) link = amount(random);
  network.exchanges.resize(levels(random));
  for (auto& exchange : network.exchanges) {
    for (std::uint32_t link = 0; link < network.bandwidth.size(); ++link) {
      if (loaded(random)) exchange.push_back({link, amount(random)});
    }
    if (exchange.empty()) exchange.push_back({0, amount(random)});
  }
  return network;
}

}  // namespace

TEST_CASE("every exchange has a full link on which no other one sends faster: max-min fair, and no link is overrun") {
  std::mt19937 random(11);
  std::uniform_int_distribution<std::uint32_t> some(0, 3);
  for (int round = 0; round < 5000; ++round) {
    const ExchangeNetwork network = round % 3 == 0   ? random_network(random)
                                    : round % 3 == 1 ? h_tree(5, 1.5)
                                                     : torus(5, 0.7, TorusRouting::balanced, TorusMapping::alternating);
    FairSharing sharing(network);
    std::vector<std::uint32_t> running(network.levels());
    for (std::uint32_t& count : running) count = some(random);
    std::vector<double> rates(network.levels(), -1.0);
    sharing.rates(running, rates);

    std::vector<double> used(network.bandwidth.size(), 0.0);
    std::vector<double> fastest(network.bandwidth.size(), 0.0);
    for (std::size_t level = 0; level < network.levels(); ++level) {
      REQUIRE((rates[level] > 0) == (running[level] > 0));
      for (const LinkLoad& load : network.exchanges[level]) {
        used[load.link] += load.share * running[level] * rates[level];
        fastest[load.link] = std::max(fastest[load.link], rates[level] * network.flow_share(level + 1));
      }
    }
    for (std::size_t link = 0; link < used.size(); ++link) REQUIRE(used[link] <= network.bandwidth[link] * (1 + 1e-9));
    for (std::size_t level = 0; level < network.levels(); ++level) {
      if (running[level] == 0) continue;
      REQUIRE(std::ranges::any_of(network.exchanges[level], [&](const LinkLoad& load) {
        return used[load.link] >= network.bandwidth[load.link] * (1 - 1e-9) &&
               fastest[load.link] <= rates[level] * network.flow_share(level + 1) * (1 + 1e-9);
      }));
    }
  }
}

TEST_CASE("the accelerators' own links are an H-tree's only limit") {
  CHECK(FairSharing(h_tree(8, 2e8)).constraints() == 1);
  FairSharing sharing(h_tree(2, 6.0));
  std::vector<double> rates(2);
  // Three exchanges at once: each accelerator sends 2 B/s for each, and a pair of level 1 has two senders a side.
  sharing.rates(std::vector<std::uint32_t>{2, 1}, rates);
  CHECK(rates[0] == Approx(8.0));
  CHECK(rates[1] == Approx(4.0));
}
