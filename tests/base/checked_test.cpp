#include "base/checked.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace pimsweep;

namespace {

constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();

}  // namespace

TEST_CASE("a count computes as an integer does") {
  const Count rows = 3;
  CHECK(rows * 4 + 5 - 2 == 15);
  CHECK(2 * (7 - rows) == 8);
  CHECK(std::int64_t{1} + rows * rows == 10);
  CHECK(Count{max} - max == 0);
  CHECK(Count::of(-2.0) == -2);
  Count next = rows;
  CHECK(++next == 4);
  CHECK(fmt::format("{:>4}", rows) == "   3");
}

TEST_CASE("a count that would wrap is refused with both numbers") {
  Count sum = max;
  CHECK_THROWS_WITH(sum += 1, "9223372036854775807 + 1 exceeds the range of 64-bit counts: the point is too large");
  CHECK(sum == max);
  CHECK_THROWS_AS(Count{min} - 1, OverflowError);
  CHECK_THROWS_AS(1 - Count{min}, OverflowError);
  CHECK_THROWS_AS(Count{max} * 2, OverflowError);
}

TEST_CASE("a real number that is not a count is refused") {
  CHECK(Count::of(0x1p62) == std::int64_t{1} << 62);
  CHECK(Count::of(-0x1p63) == min);
  CHECK_THROWS_WITH(Count::of(1e300), "1e+300 exceeds the range of 64-bit counts: the point is too large");
  CHECK_THROWS_AS(Count::of(0x1p63), OverflowError);
  CHECK_THROWS_AS(Count::of(std::nan("")), OverflowError);
  CHECK_THROWS_AS(Count{std::numeric_limits<std::uint64_t>::max()}, PointError);
}
