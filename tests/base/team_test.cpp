#include "base/team.h"

#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "base/threads.h"

using namespace pimsweep;

TEST_CASE("members of a team see what all wrote before they met", "[team]") {
  for (const unsigned members : {1U, 2U, 5U}) {
    Team team(members);
    // Written in turn at two places, as a member may be one round ahead.
    std::array<std::array<unsigned, 5>, 2> written{};
    std::array<bool, 5> right{};
    team.run([&](unsigned member) {
      bool all = true;
      for (unsigned round = 0; round < 2000; ++round) {
        auto& places = written[round % 2];
        places[member] = round + member;
        team.meet();
        for (unsigned other = 0; other < members; ++other) all = all && places[other] == round + other;
      }
      right[member] = all;
    });
    for (unsigned member = 0; member < members; ++member) CHECK(right[member]);
  }
}

TEST_CASE("a member's exception ends the team's work", "[team]") {
  for (const unsigned failing : {0U, 2U}) {
    Team team(3);
    const auto work = [&](unsigned member) {
      for (unsigned round = 0;; ++round) {
        if (member == failing && round == 100) throw std::runtime_error("out of luck");
        team.meet();
      }
    };
    CHECK_THROWS_WITH(team.run(work), "out of luck");
  }
}

TEST_CASE("threads of a point are allowed for a while", "[team]") {
  CHECK(PointThreads::allowed() == 1);
  {
    const PointThreads more(4);
    CHECK(PointThreads::allowed() == 4);
    const PointThreads none(0);
    CHECK(PointThreads::allowed() == 1);
  }
  CHECK(PointThreads::allowed() == 1);
}
