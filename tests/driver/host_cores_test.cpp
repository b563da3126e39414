#include "driver/host_cores.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace pimsweep::driver;

TEST_CASE("the last points of a host share its cores, and no core has two threads unless it has two ranks") {
  HostCores cores;
  for (int rank = 0; rank < 4; ++rank) cores.add("here", 8);
  for (std::size_t rank = 0; rank < 4; ++rank) cores.set(rank, true, false);
  cores.set(0, true, true);
  CHECK(cores.threads(0, 0) == 8);
  CHECK(cores.threads(0, 1) == 4);
  CHECK(cores.threads(0, 3) == 2);
  // Only as many points can come as there are ranks.
  CHECK(cores.threads(0, 1'000'000) == 2);
  cores.set(1, true, true);
  CHECK(cores.threads(1, 0) == 4);
  // A rank that is lost evaluates nothing more.
  cores.set(0, false, false);
  CHECK(cores.threads(1, 0) == 8);
}

TEST_CASE("threads of all points that begin one after the other fit the cores of each host") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    HostCores cores;
    const std::size_t hosts = 1 + random() % 3;
    std::vector<int> cores_of(hosts);
    for (int& number : cores_of) number = static_cast<int>(1 + random() % 16);
    std::vector<std::size_t> host_of(1 + random() % 12);
    for (std::size_t& host : host_of) {
      host = random() % hosts;
      cores.add(fmt::format("host {}", host), cores_of[host]);
    }
    for (std::size_t rank = 0; rank < host_of.size(); ++rank) cores.set(rank, true, false);
    const std::size_t points = random() % (host_of.size() + 1);
    std::vector<int> threads(hosts, 0);
    std::vector<int> ranks(hosts, 0);
    for (std::size_t rank = 0; rank < points; ++rank) {
      cores.set(rank, true, true);
      threads[host_of[rank]] += static_cast<int>(cores.threads(rank, points - rank - 1));
      ++ranks[host_of[rank]];
    }
    for (std::size_t host = 0; host < hosts; ++host) CHECK(threads[host] <= std::max(cores_of[host], ranks[host]));
  }
}
