#include "driver/work_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "driver/grant.h"

using namespace pimsweep;

TEST_CASE("every point is handed out exactly once, whatever comes back unfinished") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    WorkPool pool;
    std::vector<int> pending;
    std::uint64_t begin = 0;
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t gap = random() % 3;
      const std::uint64_t size = random() % 10;
      pending.insert(pending.end(), gap, 0);
      pending.insert(pending.end(), size, 1);
      pool.add({begin + gap, begin + gap + size});
      begin += gap + size;
    }
    REQUIRE(pool.points() == static_cast<std::uint64_t>(std::count(pending.begin(), pending.end(), 1)));
    while (!pool.empty()) {
      const std::uint64_t wanted = 1 + random() % 12;
      const std::size_t ranges = 1 + random() % 4;
      const std::uint64_t before = pool.points();
      const auto grant = pool.take(wanted, ranges);
      REQUIRE(grant.size() <= ranges);
      std::uint64_t taken = 0;
      for (const Range& range : grant) taken += range.size();
      REQUIRE(taken > 0);
      REQUIRE(taken <= wanted);
      REQUIRE(pool.points() == before - taken);
      REQUIRE(grant_from(to_bytes(grant)) == grant);
      const std::uint64_t done = random() % (taken + 1);
      std::uint64_t number = 0;
      for (const Range& range : grant) {
        for (std::uint64_t point = range.begin; point < range.end; ++point) {
          if (number++ < done) REQUIRE(--pending[point] == 0);
        }
      }
      pool.give_back(grant, done);
      REQUIRE(pool.points() == before - done);
    }
    REQUIRE(std::count(pending.begin(), pending.end(), 0) == static_cast<std::ptrdiff_t>(pending.size()));
  }
}

TEST_CASE("a grant is about 30 ms of work, one point at first, and never more than a fair share") {
  GrantSize size;
  CHECK(size.next(1'000'000, 63) == 1);
  size.measured(1, 10e-6);
  CHECK(size.next(1'000'000, 63) == Approx(3000).margin(1));
  CHECK(size.next(1'000, 63) == 1'000 / 126);
  CHECK(size.next(1, 63) == 1);
  // Costs that change are followed.
  for (int i = 0; i < 200; ++i) size.measured(1, 1.0);
  CHECK(size.next(1'000'000, 63) == 1);
}

TEST_CASE("a report comes back from its bytes") {
  const Report report{12, 3, 4, 0.5, 15, "disk full"};
  const Report read = report_from(to_bytes(report));
  CHECK(read.done == 12);
  CHECK(read.infeasible == 3);
  CHECK(read.failed == 4);
  CHECK(read.seconds == 0.5);
  CHECK(read.signal == 15);
  CHECK(read.error == "disk full");
  CHECK_THROWS(report_from("short"));
}
