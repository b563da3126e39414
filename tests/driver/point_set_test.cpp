#include "driver/point_set.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace pimsweep::driver;
using namespace pimsweep;

TEST_CASE("a point set is a set") {
  std::mt19937_64 random(4);
  for (const std::uint64_t size : {1UL, 65'535UL, 65'536UL, 65'537UL, 300'000UL}) {
    PointSet set(size);
    std::set<std::uint64_t> expected;
    // Long runs fill whole stretches, single points do not.
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t first = random() % size;
      const std::uint64_t end = std::min(size, first + (i % 2 == 0 ? random() % 100'000 : 1));
      for (std::uint64_t point = first; point < end; ++point)
        REQUIRE(set.insert(point) == expected.insert(point).second);
    }
    CHECK(set.count() == expected.size());
    CHECK(set.size() == size);
    std::uint64_t next = 0;
    for (std::uint64_t point = 0; point < size; ++point) {
      if (set.contains(point) != expected.contains(point)) REQUIRE(set.contains(point) == expected.contains(point));
      if (expected.contains(point)) continue;
      if (set.next_absent(next) != point) REQUIRE(set.next_absent(next) == point);
      next = point + 1;
    }
    CHECK(set.next_absent(next) == size);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t from = random() % size;
      const std::uint64_t limit = from + random() % (size - from + 1);
      const auto found = expected.lower_bound(from);
      REQUIRE(set.next_present(from, limit) == (found == expected.end() ? limit : std::min(limit, *found)));
    }
    for (std::uint64_t point = 0; point < size; ++point) set.insert(point);
    CHECK(set.count() == size);
    CHECK(set.next_absent(0) == size);
  }
}
