#include "hardware/node_array/layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "hardware/acu.h"

using namespace pimsweep::hardware::node_array;
using namespace pimsweep::hardware;
using namespace pimsweep;

TEST_CASE("the paper's example: a 3 x 4 array takes six 2 x 1 sub-arrays") {
  CHECK(layout_capacity(3, 4, 2, 1) == 6);
  const std::vector<SubArray> layout = structured_layout(3, 4, 2, 1);
  CHECK(layout.size() == 6);
  CHECK(std::count_if(layout.begin(), layout.end(), [](const SubArray& a) { return a.height == 2; }) == 4);
}

TEST_CASE("Table V's sub-arrays on 16 x 16 nodes") {
  CHECK(layout_capacity(16, 16, 1, 1) == 256);
  CHECK(layout_capacity(16, 16, 4, 2) == 32);
  CHECK(layout_capacity(16, 16, 2, 1) == 128);
  CHECK(layout_capacity(16, 16, 4, 4) == 16);
  CHECK(layout_capacity(16, 16, 8, 2) == 16);
  CHECK(layout_capacity(16, 16, 16, 4) == 4);
}

TEST_CASE("sub-arrays lie inside the node array, do not overlap and are as many as the capacity says") {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int64_t> array(1, 24);
  std::uniform_int_distribution<std::int64_t> sub(1, 26);
  for (int round = 0; round < 3000; ++round) {
    const std::int64_t rows = array(random);
    const std::int64_t cols = array(random);
    const std::int64_t u = sub(random);
    const std::int64_t v = sub(random);
    const std::vector<SubArray> layout = structured_layout(rows, cols, u, v);
    REQUIRE(static_cast<std::int64_t>(layout.size()) == layout_capacity(rows, cols, u, v));
    REQUIRE(layout_capacity(rows, cols, v, u) == layout_capacity(rows, cols, u, v));
    REQUIRE(layout_capacity(cols, rows, u, v) == layout_capacity(rows, cols, u, v));
    std::vector<int> owners(static_cast<std::size_t>(rows * cols), 0);
    for (const SubArray& rectangle : layout) {
      REQUIRE(std::minmax(rectangle.height, rectangle.width) == std::minmax(u, v));
      REQUIRE(rectangle.row >= 0);
      REQUIRE(rectangle.col >= 0);
      REQUIRE(rectangle.row + rectangle.height <= rows);
      REQUIRE(rectangle.col + rectangle.width <= cols);
      for (std::int64_t y = 0; y < rectangle.height; ++y) {
        for (std::int64_t x = 0; x < rectangle.width; ++x) {
          REQUIRE(++owners[static_cast<std::size_t>((rectangle.row + y) * cols + rectangle.col + x)] == 1);
        }
      }
    }
    const bool fits = (u <= rows && v <= cols) || (v <= rows && u <= cols);
    REQUIRE(layout.empty() == !fits);
  }
}

TEST_CASE("the nonlinear unit takes one cycle for each started group of lanes") {
  CHECK(acu_cycles(0, 3, 8) == 0);
  CHECK(acu_cycles(8, 1, 8) == 1);
  CHECK(acu_cycles(9, 1, 8) == 2);
  CHECK(acu_cycles(9, 3, 8) == 4);
}
