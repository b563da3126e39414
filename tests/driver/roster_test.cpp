#include "driver/roster.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

using namespace pimsweep::driver;

TEST_CASE("a set of ranks answers as std::set does, for any number of ranks") {
  std::mt19937_64 random(3);
  for (const std::size_t ranks : {1UL, 2UL, 63UL, 64UL, 65UL, 4096UL, 4097UL, 70000UL, 300000UL}) {
    RankSet tested(ranks);
    std::set<int> expected;
    for (int step = 0; step < 3000; ++step) {
      // Few ranks, so that both sets are often empty, and far apart.
      const auto rank = static_cast<int>(random() % 7 * 104729 % ranks);
      if (random() % 2 == 0) {
        tested.insert(rank);
        expected.insert(rank);
      } else {
        tested.erase(rank);
        expected.erase(rank);
      }
      REQUIRE(tested.empty() == expected.empty());
      REQUIRE(tested.last() == (expected.empty() ? RankSet::none : *expected.rbegin()));
      const auto from = static_cast<int>(random() % (ranks + 1));
      const auto next = expected.lower_bound(from);
      REQUIRE(tested.next(from) == (next == expected.end() ? RankSet::none : *next));
    }
  }
}

TEST_CASE("a roster knows what a look at all ranks would find") {
  std::mt19937_64 random(4);
  constexpr std::size_t ranks = 200;
  Roster roster(ranks);
  std::vector<Roster::State> states(ranks);
  for (int step = 0; step < 20000; ++step) {
    const std::size_t rank = random() % ranks;
    states[rank] = {random() % 8 != 0, random() % (Roster::max_grants_in_hand + 1), random() % 5 == 0};
    roster.set(static_cast<int>(rank), states[rank]);
    if (step % 100 != 0) continue;
    int evaluators = 0;
    int busy = 0;
    std::vector<std::vector<int>> found(Roster::max_grants_in_hand);
    for (std::size_t i = 0; i < ranks; ++i) {
      const Roster::State& state = states[i];
      if (!state.is_there) continue;
      ++evaluators;
      if (state.grants > 0) ++busy;
      if (state.grants < Roster::max_grants_in_hand && !(state.grants > 0 && state.is_isolated))
        found[state.grants].push_back(static_cast<int>(i));
    }
    REQUIRE(roster.evaluators() == evaluators);
    REQUIRE(roster.busy() == busy);
    for (std::size_t grants = 0; grants < Roster::max_grants_in_hand; ++grants) {
      const RankSet& set = grants == 0 ? roster.idle() : roster.with_grants(grants);
      std::vector<int> listed;
      for (int at = set.next(0); at != RankSet::none; at = set.next(at + 1)) listed.push_back(at);
      REQUIRE(listed == found[grants]);
    }
  }
}
