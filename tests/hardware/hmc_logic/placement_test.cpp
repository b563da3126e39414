#include "hardware/hmc_logic/placement.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

using namespace pimsweep::hardware::hmc_logic;
using namespace pimsweep;

TEST_CASE("Hetero-PIM's 444 pairs are 15 on each bank at the edge and 12 on each in the middle") {
  const BankGrid grid{.columns = 8, .rows = 4};
  const auto placed = place_units(grid, 444, 0.25);
  int at_edge = 0;
  for (std::int64_t bank = 0; bank < grid.banks(); ++bank) {
    at_edge += grid.at_edge(bank) ? 1 : 0;
    CHECK(placed[static_cast<std::size_t>(bank)] == (grid.at_edge(bank) ? 15 : 12));
  }
  CHECK(at_edge == 20);
}

TEST_CASE("Every unit is placed once, and no bank is more than one away from its share") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const BankGrid grid{.columns = std::uniform_int_distribution(1, 12)(random),
                        .rows = std::uniform_int_distribution(1, 12)(random)};
    const std::int64_t units = std::uniform_int_distribution(0, 3000)(random);
    const double bonus = std::uniform_real_distribution(0.0, 3.0)(random);
    const auto placed = place_units(grid, units, bonus);
    REQUIRE(std::accumulate(placed.begin(), placed.end(), std::int64_t{0}) == units);
    std::int64_t edge = 0;
    for (std::int64_t bank = 0; bank < grid.banks(); ++bank) edge += grid.at_edge(bank) ? 1 : 0;
    const double share =
        static_cast<double>(units) / (static_cast<double>(grid.banks()) + bonus * static_cast<double>(edge));
    for (std::int64_t bank = 0; bank < grid.banks(); ++bank) {
      const double wanted = share * (grid.at_edge(bank) ? 1 + bonus : 1);
      REQUIRE(std::abs(static_cast<double>(placed[static_cast<std::size_t>(bank)]) - wanted) < 1 + 1e-9);
    }
  }
}

TEST_CASE("Units fill the area that processors leave") {
  CHECK(units_that_fit(10, 2, 1, 1) == 8);
  CHECK(units_that_fit(10, 2, 1, 3) == 2);
  CHECK(units_that_fit(10, 2, 5, 1) == 0);
  CHECK(units_that_fit(10, 2, 6, 1) == 0);
}
