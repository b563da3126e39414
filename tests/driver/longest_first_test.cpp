#include "driver/longest_first.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <limits>

#include "../results/scratch_folder.h"

using namespace pimsweep::driver;
using namespace pimsweep::sweep;
using namespace pimsweep;

namespace {

Plan plan_of(const ScratchFolder& scratch, const std::string& axes) {
  const std::string file = scratch.file("plan.toml");
  std::ofstream(file) << "name = \"long\"\n[[study]]\nid = \"one\"\nsystem = \"synthetic\"\n" << axes;
  return load_plan(file, {"configs", {}, {}});
}

constexpr const char* many_points =
    "[study.sample]\nmethod = \"random\"\npoints = 3000\n[study.sample.ranges]\n"
    "n = { from = 0, to = 1000000 }\n";

constexpr double any_time = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("the longest points come first, longest first, and never more than a hundred for each evaluator") {
  const ScratchFolder scratch;
  const Plan plan =
      plan_of(scratch, std::string("cost_mean = \"10 ms\"\ncost_distribution = \"loguniform\"\n") + many_points);
  Evaluator evaluator(plan);
  double total = 0;
  for (std::uint64_t point = 0; point < plan.size(); ++point) total += *evaluator.expected_seconds(point);
  for (const int evaluators : {1, 7, 40}) {
    PointSet done(plan.size());
    done.insert(5);
    const Expectation expectation = longest_first(done, evaluator, evaluators, any_time);
    CHECK(expectation.total_seconds == Approx(total - *evaluator.expected_seconds(5)));
    std::vector<std::uint64_t> longest;
    for (const LongPoint& next : expectation.longest) {
      CHECK(next.seconds == *evaluator.expected_seconds(next.point));
      longest.push_back(next.point);
    }
    // Costs reach ninefold the mean: with one evaluator even the longest is a small part of its share of 3000 points.
    CHECK(longest.empty() == (evaluators == 1));
    CHECK(longest.size() <= 100U * static_cast<std::size_t>(evaluators));
    CHECK(std::count(longest.begin(), longest.end(), 5U) == 0);
    CHECK(std::is_sorted(longest.begin(), longest.end(), [&](std::uint64_t a, std::uint64_t b) {
      return *evaluator.expected_seconds(a) > *evaluator.expected_seconds(b);
    }));
    // What is left out is short: it cannot make the end late by more than about a hundredth.
    for (std::uint64_t point = 0; point < plan.size(); ++point) {
      if (point == 5 || std::count(longest.begin(), longest.end(), point) > 0) continue;
      REQUIRE(*evaluator.expected_seconds(point) <= 1.001 * total / (100.0 * evaluators));
    }
  }
}

TEST_CASE("points are asked for in blocks, until asking takes too long") {
  const ScratchFolder scratch;
  const Plan plan = plan_of(scratch, std::string("cost_mean = \"10 ms\"\n") + many_points);
  Evaluator evaluator(plan);
  const PointSet none(plan.size());
  CHECK(longest_first(none, evaluator, 2, any_time).total_seconds == Approx(3000 * 10e-3));
  CHECK(longest_first(none, evaluator, 2, 0).total_seconds == Approx(1024 * 10e-3));
}

TEST_CASE("where the system cannot tell, or points cost nothing, the plan's order stays") {
  const ScratchFolder scratch;
  const Plan plan = plan_of(scratch, many_points);
  Evaluator evaluator(plan);
  CHECK(longest_first(PointSet(plan.size()), evaluator, 2).longest.empty());
}

TEST_CASE("synthetic costs have the mean that they are given") {
  const ScratchFolder scratch;
  for (const char* distribution : {"constant", "exponential", "lognormal", "loguniform"}) {
    CAPTURE(distribution);
    const Plan plan = plan_of(scratch, fmt::format("cost_mean = \"2 ms\"\ncost_distribution = \"{}\"\n{}", distribution,
                                                   "[study.sample]\nmethod = \"random\"\npoints = 200000\n"
                                                   "[study.sample.ranges]\nn = { from = 0, to = 1000000000 }\n"));
    Evaluator evaluator(plan);
    double sum = 0;
    double least = 1;
    double most = 0;
    for (std::uint64_t point = 0; point < plan.size(); ++point) {
      const double seconds = *evaluator.expected_seconds(point);
      sum += seconds;
      least = std::min(least, seconds);
      most = std::max(most, seconds);
    }
    CHECK(sum / static_cast<double>(plan.size()) == Approx(2e-3).epsilon(0.02));
    if (std::string(distribution) == "loguniform") CHECK(most / least == Approx(1e4).epsilon(0.01));
  }
}
