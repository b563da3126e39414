#include "driver/work_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "driver/grant.h"

using namespace pimsweep::driver;
using namespace pimsweep;

TEST_CASE("every point is handed out exactly once, whatever comes back unfinished") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr std::uint64_t size = 150;
    PointSet done(size);
    std::vector<int> pending(size, 1);
    for (std::uint64_t point = 0; point < size; ++point) {
      if (random() % 4 != 0) continue;
      done.insert(point);
      pending[point] = 0;
    }
    const std::vector<LongPoint> longest{{random() % size, 3}, {random() % size, 2}, {random() % size, 1}};
    const std::uint64_t suspect = random() % size;
    WorkPool pool(std::move(done));
    const std::uint64_t suspects_taken = static_cast<std::uint64_t>(pending[suspect]);
    if (suspects_taken == 1) pool.add_suspects({{suspect, suspect + 1}});
    pool.add_long(longest);
    REQUIRE(pool.points() == static_cast<std::uint64_t>(std::count(pending.begin(), pending.end(), 1)));
    while (!pool.empty()) {
      const std::uint64_t wanted = 1 + random() % 12;
      const std::size_t ranges = 1 + random() % 4;
      const std::uint64_t before = pool.points();
      const Grant grant = pool.take(wanted, ranges);
      REQUIRE(grant.ranges.size() <= ranges);
      const std::uint64_t taken = grant.points();
      REQUIRE(taken > 0);
      REQUIRE(taken <= wanted);
      REQUIRE(pool.points() == before - taken);
      const Lease lease = lease_from(to_bytes(Lease{grant, 2.5, 0.1}));
      REQUIRE(lease.grant.ranges == grant.ranges);
      REQUIRE(lease.grant.isolated == grant.isolated);
      REQUIRE(lease.point_limit_seconds == 2.5);
      REQUIRE(grant.isolated == (suspects_taken == 1 && grant.ranges.front().begin == suspect));
      const std::uint64_t finished = random() % (taken + 1);
      std::uint64_t number = 0;
      for (const Range& range : grant.ranges) {
        for (std::uint64_t point = range.begin; point < range.end; ++point) {
          if (number++ < finished) REQUIRE(--pending[point] == 0);
        }
      }
      pool.give_back(grant, finished);
      REQUIRE(pool.points() == before - finished);
    }
    REQUIRE(std::count(pending.begin(), pending.end(), 0) == static_cast<std::ptrdiff_t>(pending.size()));
  }
}

TEST_CASE("suspects come first, one by one and isolated; then long points, then the rest in order") {
  WorkPool pool(PointSet(10));
  pool.add_suspects({{7, 9}});
  pool.add_long({{5, 1.5}, {2, 0.5}});
  CHECK(pool.is_suspect_next());
  CHECK(pool.next_long_seconds() == 0);
  const auto next = [&] { return pool.take(100, 64); };
  for (const std::uint64_t suspect : {7U, 8U}) {
    const Grant grant = next();
    CHECK(grant.isolated);
    CHECK(grant.ranges == std::vector<Range>{{suspect, suspect + 1}});
  }
  CHECK_FALSE(pool.is_suspect_next());
  CHECK(pool.next_long_seconds() == 1.5);
  for (const std::uint64_t point : {5U, 2U}) {
    const Grant grant = next();
    CHECK_FALSE(grant.isolated);
    CHECK(grant.ranges == std::vector<Range>{{point, point + 1}});
  }
  CHECK(next().ranges == std::vector<Range>{{0, 2}, {3, 5}, {6, 7}, {9, 10}});
  CHECK(pool.empty());
  // A rank died with two of them in hand.
  pool.add_suspects({{3, 5}});
  CHECK(pool.points() == 2);
  CHECK(next().isolated);
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
  // A round of reports in the order of their costs does not mislead it, and many evaluators get longer grants.
  GrantSize many(10'000);
  for (int i = 0; i < 10'000; ++i) many.measured(1, i < 9'900 ? 1e-3 : 1.0);
  CHECK(many.target_seconds() == Approx(0.3));
  CHECK(many.next(1'000'000'000, 10'000) == Approx(0.3 / (0.99e-3 + 0.01)).epsilon(0.1));
}

TEST_CASE("a report comes back from its bytes") {
  const Report report{12, 3, 4, 0.5, 640, 99, 0.25, 15, "disk full"};
  const Report read = report_from(to_bytes(report));
  CHECK(read.done == 12);
  CHECK(read.failed == 3);
  CHECK(read.crashed == 4);
  CHECK(read.seconds == 0.5);
  CHECK(read.longest_point == 99);
  CHECK(read.longest_seconds == 0.25);
  CHECK(read.signal == 15);
  CHECK(read.error == "disk full");
  CHECK_THROWS(report_from("short"));
}
