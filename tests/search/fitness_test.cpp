#include "search/fitness.h"

#include <catch2/catch.hpp>
#include <limits>

#include "base/splitmix64.h"

using namespace pimsweep;
using namespace pimsweep::search;

namespace {

/// Designs with few different numbers, so that many are equal, a third of them infeasible.
std::vector<Fitness> random_fitness(std::size_t count, std::size_t objectives, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Fitness> designs(count);
  for (Fitness& design : designs) {
    for (std::size_t i = 0; i < objectives; ++i) design.objectives.push_back(static_cast<double>(random() % 6));
    if (random() % 3 == 0) design.violation = static_cast<double>(1 + random() % 2);
  }
  return designs;
}

}  // namespace

TEST_CASE("A feasible design dominates an infeasible one whatever its objectives") {
  const Fitness good{{9, 9}, 0};
  const Fitness bad{{1, 1}, 1};
  CHECK(dominates(good, bad));
  CHECK_FALSE(dominates(bad, good));
  CHECK(dominates(bad, {{0, 0}, 2}));
  CHECK_FALSE(dominates(bad, {{5, 5}, 1}));
  CHECK_FALSE(dominates({{1, 2}, 0}, {{2, 1}, 0}));
  CHECK_FALSE(dominates({{1, 2}, 0}, {{1, 2}, 0}));
  CHECK(dominates({{1, 2}, 0}, {{1, 3}, 0}));
}

TEST_CASE("Fronts are those of repeated removal of what nothing dominates") {
  for (const std::size_t objectives : {1U, 2U, 3U}) {
    const std::vector<Fitness> designs = random_fitness(80, objectives, objectives);
    const std::vector<std::size_t> fronts = front_numbers(designs);
    std::vector<bool> removed(designs.size(), false);
    std::size_t left = designs.size();
    for (std::size_t front = 0; left > 0; ++front) {
      std::vector<std::size_t> members;
      for (std::size_t a = 0; a < designs.size(); ++a) {
        bool dominated = removed[a];
        for (std::size_t b = 0; b < designs.size() && !dominated; ++b)
          dominated = !removed[b] && dominates(designs[b], designs[a]);
        if (!dominated) members.push_back(a);
      }
      REQUIRE_FALSE(members.empty());
      for (const std::size_t a : members) {
        CHECK(fronts[a] == front);
        removed[a] = true;
        --left;
      }
    }
  }
}

TEST_CASE("Crowding distances are the gaps between neighbors, infinite at the ends") {
  const std::vector<Fitness> designs{{{0, 10}, 0}, {{1, 6}, 0}, {{4, 5}, 0}, {{10, 0}, 0}};
  std::vector<const Fitness*> front;
  for (const Fitness& design : designs) front.push_back(&design);
  const std::vector<double> distances = crowding_distances(front);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(distances[0] == infinity);
  CHECK(distances[1] == Approx(0.4 + 0.5));
  CHECK(distances[2] == Approx(0.9 + 0.6));
  CHECK(distances[3] == infinity);
}
