#include "search/hypervolume.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "base/splitmix64.h"

using namespace pimsweep;
using namespace pimsweep::search;

namespace {

using Designs = std::vector<std::vector<double>>;

Designs random_designs_of(std::size_t count, std::size_t objectives, std::uint64_t bound, std::uint64_t seed) {
  SplitMix64 random(seed);
  Designs designs(count, std::vector<double>(objectives));
  for (auto& design : designs) {
    for (double& number : design) number = static_cast<double>(random() % bound);
  }
  return designs;
}

/// Counts the unit cells below the reference that some design dominates.
double counted(const Designs& designs, std::size_t objectives, std::uint64_t bound) {
  std::uint64_t cells = 1;
  for (std::size_t i = 0; i < objectives; ++i) cells *= bound;
  double count = 0;
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    bool dominated = false;
    for (const auto& design : designs) {
      bool covers = true;
      std::uint64_t rest = cell;
      for (const double number : design) {
        covers = covers && number <= static_cast<double>(rest % bound);
        rest /= bound;
      }
      dominated = dominated || covers;
    }
    count += dominated ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("The hypervolume is the volume of all cells that some design dominates") {
  for (const std::size_t objectives : {1U, 2U, 3U}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      constexpr std::uint64_t bound = 9;
      // Some designs lie on the reference, and many are equal in some number.
      const Designs designs = random_designs_of(1 + seed, objectives, bound + 1, seed);
      const std::vector<double> reference(objectives, static_cast<double>(bound));
      CHECK(hypervolume(designs, reference) == counted(designs, objectives, bound));
    }
  }
}

TEST_CASE("No design dominates no volume") {
  CHECK(hypervolume({}, {1, 1}) == 0);
  CHECK(hypervolume({{2, 0}}, {1, 1}) == 0);
  CHECK(hypervolume({{0, 0}}, {1, 1}) == 1);
}
