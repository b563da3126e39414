#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <stdexcept>
#include <tuple>

#include "base/checked.h"
#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler_instances.h"

namespace pimsweep::systems::allspark {
namespace {

/// Cycles, memory, layers and sum of scheme indices: what the exact solver minimizes, in this order.
using Merit = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

struct Cover {
  std::int64_t cycles = 0;
  std::int64_t weight = 0;
  std::int64_t workspace = 0;
  std::int64_t layers = 0;
  std::int64_t indices = 0;
};

/// All ways to cover a stage with at most as many layers of a scheme as it needs alone, written down from the problem's
/// definition and independent of evaluate().
void list_covers(const scheduler::StageProblem& stage, std::size_t scheme, std::vector<std::int64_t>& counts,
                 std::vector<Cover>& covers) {
  if (scheme < stage.schemes.size()) {
    const std::int64_t capacity = stage.schemes[scheme].capacity;
    const std::int64_t largest = capacity == 0 ? 0 : (stage.branches + capacity - 1) / capacity;
    for (counts[scheme] = 0; counts[scheme] <= largest; ++counts[scheme])
      list_covers(stage, scheme + 1, counts, covers);
    return;
  }
  Cover cover;
  std::int64_t covered = 0;
  bool single = false;
  std::int64_t single_weight = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const scheduler::Scheme& used = stage.schemes[i];
    covered += counts[i] * used.capacity;
    cover.cycles += counts[i] * used.cycles;
    cover.weight += used.weight_bytes;
    cover.workspace = std::max(cover.workspace, used.workspace_bytes);
    cover.layers += counts[i];
    cover.indices += counts[i] * static_cast<std::int64_t>(i);
    if (used.nodes() == 1) {
      single = true;
      single_weight = used.weight_bytes;
    }
  }
  if (single) cover.weight = single_weight;
  if (covered >= stage.branches) covers.push_back(cover);
}

std::optional<Merit> best_of_all(const scheduler::ScheduleProblem& problem) {
  std::vector<Cover> joined{{}};
  for (const scheduler::StageProblem& stage : problem.stages) {
    std::vector<std::int64_t> counts(stage.schemes.size(), 0);
    std::vector<Cover> covers;
    list_covers(stage, 0, counts, covers);
    std::vector<Cover> next;
    for (const Cover& a : joined) {
      for (const Cover& b : covers) {
        next.push_back({a.cycles + b.cycles, a.weight + b.weight, std::max(a.workspace, b.workspace),
                        a.layers + b.layers, a.indices + b.indices});
      }
    }
    joined = std::move(next);
  }
  std::optional<Merit> best;
  for (const Cover& cover : joined) {
    if (cover.weight + cover.workspace > problem.memory_bytes) continue;
    const Merit merit(cover.cycles, cover.weight + cover.workspace, cover.layers, cover.indices);
    if (!best || merit < *best) best = merit;
  }
  return best;
}

Merit merit_of(const scheduler::Schedule& schedule) {
  std::int64_t layers = 0;
  std::int64_t indices = 0;
  for (const auto& stage : schedule.stages) {
    for (const scheduler::LayerGroup& group : stage) {
      layers += group.layers;
      indices += group.layers * group.scheme;
    }
  }
  return {schedule.cycles, schedule.weight_bytes + schedule.workspace_bytes, layers, indices};
}

}  // namespace

TEST_CASE("the exact solver finds what trying everything finds, ties included") {
  std::mt19937_64 random(20240601);
  int feasible = 0;
  int infeasible = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const scheduler::ScheduleProblem problem = tiny_problem(random);
    CAPTURE(trial);
    const scheduler::Schedule schedule = scheduler::solve_exact(problem);
    const std::optional<Merit> best = best_of_all(problem);
    REQUIRE(schedule.feasible == best.has_value());
    REQUIRE(schedule.feasible == scheduler::infeasibility(problem).empty());
    if (!best) {
      REQUIRE_FALSE(schedule.reason.empty());
      ++infeasible;
      continue;
    }
    ++feasible;
    REQUIRE(merit_of(schedule) == *best);
    scheduler::Schedule again = schedule;
    scheduler::evaluate(problem, again);
    REQUIRE(merit_of(again) == *best);
  }
  CHECK(feasible > 2000);
  CHECK(infeasible > 500);
}

TEST_CASE("the compact program has the same optimum as trying everything") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const scheduler::ScheduleProblem problem = tiny_problem(random);
    CAPTURE(trial);
    const scheduler::Schedule schedule = scheduler::solve_compact_milp(problem);
    const std::optional<Merit> best = best_of_all(problem);
    REQUIRE(schedule.feasible == best.has_value());
    if (best) REQUIRE(schedule.cycles == std::get<0>(*best));
  }
}

TEST_CASE("the compact program keeps an optimum that CBC's integer preprocessing loses") {
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = 5;
  problem.stages.push_back({6, {{2, 2, 4, 1, 7, 2}, {1, 1, 4, 5, 2, 2}}});
  CHECK(scheduler::solve_exact(problem).cycles == 6);
  CHECK(scheduler::solve_compact_milp(problem).cycles == 6);
}

TEST_CASE("the paper's corrected program has the same optimum as exhaustive search") {
  std::mt19937_64 random(11);
  int closed = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const scheduler::ScheduleProblem problem = tiny_problem(random);
    CAPTURE(trial);
    const scheduler::IlpResult result = scheduler::solve_paper_ilp(problem, 20);
    if (!result.closed) continue;
    ++closed;
    const std::optional<Merit> best = best_of_all(problem);
    REQUIRE(result.schedule.feasible == best.has_value());
    if (best) REQUIRE(result.schedule.cycles == std::get<0>(*best));
  }
  CHECK(closed >= 240);
}

TEST_CASE("the paper's program is refused rather than built too large") {
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = 1 << 20;
  problem.stages.push_back({2000, {{1, 1, 1, 10, 100, 10}, {2, 1, 2, 19, 50, 10}, {2, 2, 5, 60, 20, 10}}});
  const scheduler::IlpResult result = scheduler::solve_paper_ilp(problem, 1);
  CHECK_FALSE(result.closed);
  CHECK_FALSE(result.schedule.feasible);
  CHECK_THAT(result.schedule.reason, Catch::Contains("non-zeros"));
}

TEST_CASE("evaluate defines weights by the two cases of reuse") {
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = 1000;
  problem.stages.push_back({9, {{1, 1, 8, 100, 64, 5}, {2, 1, 4, 60, 32, 6}, {2, 2, 2, 40, 16, 7}}});
  scheduler::Schedule schedule;
  SECTION("distinct schemes add up, repeated ones do not") {
    schedule.stages = {{{1, 2}, {2, 1}}};
    scheduler::evaluate(problem, schedule);
    CHECK(schedule.cycles == 2 * 60 + 40);
    CHECK(schedule.weight_bytes == 32 + 16);
    CHECK(schedule.workspace_bytes == 7);
    CHECK(schedule.feasible);
  }
  SECTION("the 1 x 1 scheme lends its weights to all others") {
    schedule.stages = {{{0, 1}, {2, 1}}};
    scheduler::evaluate(problem, schedule);
    CHECK(schedule.weight_bytes == 64);
    CHECK(schedule.workspace_bytes == 7);
  }
  SECTION("what does not fit is infeasible and says why") {
    problem.memory_bytes = 70;
    schedule.stages = {{{0, 1}, {2, 1}}};
    scheduler::evaluate(problem, schedule);
    CHECK_FALSE(schedule.feasible);
    CHECK_THAT(schedule.reason, Catch::Contains("71 B"));
  }
  SECTION("malformed schedules are errors") {
    schedule.stages = {{{1, 2}}};
    CHECK_THROWS_AS(scheduler::evaluate(problem, schedule), std::logic_error);
    schedule.stages = {{{3, 2}}};
    CHECK_THROWS_AS(scheduler::evaluate(problem, schedule), std::logic_error);
    schedule.stages = {{{0, 2}, {1, 0}}};
    CHECK_THROWS_AS(scheduler::evaluate(problem, schedule), std::logic_error);
    schedule.stages = {};
    CHECK_THROWS_AS(scheduler::evaluate(problem, schedule), std::logic_error);
  }
}

TEST_CASE("problems at the edge") {
  scheduler::ScheduleProblem problem;
  CHECK(scheduler::solve_exact(problem).feasible);
  problem.stages.push_back({0, {}});
  CHECK(scheduler::solve_exact(problem).feasible);
  CHECK(scheduler::solve_exact(problem).stages.at(0).empty());
  problem.stages.push_back({3, {{1, 1, 0, 10, 10, 10}}});
  CHECK_THAT(scheduler::solve_exact(problem).reason, Catch::Contains("stage 2"));
  CHECK_FALSE(scheduler::solve_compact_milp(problem).feasible);
  problem.stages[1].schemes[0].capacity = 4;
  problem.memory_bytes = 19;
  CHECK_THAT(scheduler::solve_exact(problem).reason, Catch::Contains("20 B") && Catch::Contains("19 B"));
  problem.memory_bytes = 20;
  CHECK(scheduler::solve_exact(problem).stages.at(1) == std::vector<scheduler::LayerGroup>{{0, 1}});
}

TEST_CASE("problems without a meaning are refused") {
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = 100;
  problem.stages.push_back({3, {{1, 1, 2, 10, 10, 10}}});
  const auto refused = [&problem] {
    CHECK_THROWS_AS(scheduler::solve_exact(problem), std::logic_error);
    CHECK_THROWS_AS(scheduler::solve_compact_milp(problem), std::logic_error);
    CHECK_THROWS_AS(scheduler::solve_paper_ilp(problem, 1), std::logic_error);
  };
  SECTION("negative branches") {
    problem.stages[0].branches = -1;
    refused();
  }
  SECTION("negative cycles") {
    problem.stages[0].schemes[0].cycles = -1;
    refused();
  }
  SECTION("two 1 x 1 schemes") {
    problem.stages[0].schemes.push_back({1, 1, 2, 10, 10, 10});
    refused();
  }
  SECTION("sums beyond 64 bits") {
    problem.stages[0].schemes[0].cycles = std::int64_t{1} << 62;
    CHECK_THROWS_AS(scheduler::solve_exact(problem), OverflowError);
    CHECK_THROWS_AS(scheduler::solve_compact_milp(problem), OverflowError);
    CHECK_THROWS_AS(scheduler::solve_paper_ilp(problem, 1), OverflowError);
  }
}

}  // namespace pimsweep::systems::allspark
