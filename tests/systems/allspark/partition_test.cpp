#include "systems/allspark/partition.h"

#include <catch2/catch.hpp>
#include <random>

#include "hardware/node_array/layout.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep;

TEST_CASE("splits halve downwards, rounding up") {
  CHECK(halving_splits(1) == std::vector<std::int64_t>{1});
  CHECK(halving_splits(7) == std::vector<std::int64_t>{1, 2, 4, 7});
  CHECK(halving_splits(12) == std::vector<std::int64_t>{1, 2, 3, 6, 12});
  CHECK(halving_splits(25) == std::vector<std::int64_t>{1, 2, 4, 7, 13, 25});
}

TEST_CASE("the candidates of Swin-B's stages contain Table V's schemes") {
  const auto has = [](std::int64_t heads, const Partition& wanted) {
    const std::vector<Partition> all = candidate_partitions(heads, 49, 8, 16, 16);
    return std::find(all.begin(), all.end(), wanted) != all.end();
  };
  CHECK(has(4, {4, 2, 1}));
  CHECK(has(8, {4, 4, 1}));
  CHECK(has(16, {8, 2, 1}));
  CHECK(has(16, {16, 4, 1}));
  CHECK(has(32, {4, 4, 1}));
  CHECK_FALSE(has(32, {32, 1, 1}));
}

TEST_CASE("candidates fit, differ, and begin with the whole branch on one node") {
  std::mt19937 random(2);
  std::uniform_int_distribution<std::int64_t> size(1, 64);
  for (int round = 0; round < 500; ++round) {
    const std::int64_t rows = size(random);
    const std::int64_t cols = size(random);
    const std::vector<Partition> all = candidate_partitions(size(random), 50 * size(random), 8, rows, cols);
    REQUIRE(all.front() == Partition{1, 1, 1});
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(pimsweep::hardware::node_array::layout_capacity(rows, cols, all[i].head_split, all[i].patch_split) > 0);
      if (i > 0) REQUIRE(all[i - 1] < all[i]);
    }
  }
}
