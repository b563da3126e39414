#include "journal/extents.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace pimsweep::journal;
using namespace pimsweep;

TEST_CASE("extents come out in order, in memory and from blocks on disk") {
  std::mt19937_64 random(3);
  for (const std::size_t in_memory : {1U << 19, 1000U, 7U}) {
    ExtentSorter sorter(in_memory);
    std::vector<Extent> all;
    for (int i = 0; i < 20'000; ++i) {
      all.push_back({random() % 100'000, static_cast<std::uint32_t>(1 + random() % 5),
                     static_cast<std::uint32_t>(random() % 3), random()});
      sorter.add(all.back());
      if (in_memory == 7 && all.size() == 300) break;
    }
    CHECK(sorter.count() == all.size());
    std::sort(all.begin(), all.end());
    for (int pass = 0; pass < 2; ++pass) {
      ExtentSorter::Cursor cursor = sorter.read();
      for (const Extent& expected : all) {
        const Extent* next = cursor.peek();
        REQUIRE(next != nullptr);
        REQUIRE(*next == expected);
        cursor.take();
      }
      CHECK(cursor.peek() == nullptr);
    }
  }
}
