#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler_instances.h"

namespace pimsweep::systems::allspark {
namespace {

constexpr int trials = 300;

std::int64_t cycles_or_never(const scheduler::ScheduleProblem& problem) {
  const scheduler::Schedule schedule = scheduler::solve_exact(problem);
  return schedule.feasible ? schedule.cycles : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

TEST_CASE("more memory is never slower, and at the least memory there is a schedule") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < trials; ++trial) {
    scheduler::ScheduleProblem problem = random_problem(random);
    const std::int64_t smallest = min_memory(problem);
    problem.memory_bytes = smallest - 1;
    REQUIRE_FALSE(scheduler::solve_exact(problem).feasible);
    problem.memory_bytes = smallest;
    std::int64_t before = cycles_or_never(problem);
    REQUIRE(before < std::numeric_limits<std::int64_t>::max());
    for (int step = 0; step < 6; ++step) {
      problem.memory_bytes += std::uniform_int_distribution<std::int64_t>(0, smallest / 2 + 1)(random);
      const std::int64_t now = cycles_or_never(problem);
      REQUIRE(now <= before);
      before = now;
    }
  }
}

TEST_CASE("fewer branches are never slower") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < trials; ++trial) {
    scheduler::ScheduleProblem problem = random_problem(random);
    const std::int64_t before = cycles_or_never(problem);
    for (scheduler::StageProblem& stage : problem.stages) {
      stage.branches = std::uniform_int_distribution<std::int64_t>(1, stage.branches)(random);
    }
    REQUIRE(cycles_or_never(problem) <= before);
  }
}

TEST_CASE("another scheme is never slower") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < trials; ++trial) {
    scheduler::ScheduleProblem problem = random_problem(random);
    const std::int64_t all = cycles_or_never(problem);
    scheduler::StageProblem& stage = problem.stages[static_cast<std::size_t>(trial) % problem.stages.size()];
    stage.schemes.erase(stage.schemes.begin() + trial % static_cast<int>(stage.schemes.size()));
    REQUIRE(all <= cycles_or_never(problem));
  }
}

TEST_CASE("the order of the schemes changes neither cycles nor memory, nor does the order of the stages") {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < trials; ++trial) {
    scheduler::ScheduleProblem problem = random_problem(random);
    const scheduler::Schedule before = scheduler::solve_exact(problem);
    for (scheduler::StageProblem& stage : problem.stages)
      std::shuffle(stage.schemes.begin(), stage.schemes.end(), random);
    std::shuffle(problem.stages.begin(), problem.stages.end(), random);
    const scheduler::Schedule after = scheduler::solve_exact(problem);
    REQUIRE(before.feasible == after.feasible);
    REQUIRE(before.cycles == after.cycles);
    REQUIRE(before.weight_bytes + before.workspace_bytes == after.weight_bytes + after.workspace_bytes);
  }
}

TEST_CASE("cycles and bytes may be counted in other units") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < trials; ++trial) {
    scheduler::ScheduleProblem problem = random_problem(random);
    const scheduler::Schedule before = scheduler::solve_exact(problem);
    problem.memory_bytes *= 3;
    for (scheduler::StageProblem& stage : problem.stages) {
      for (scheduler::Scheme& scheme : stage.schemes) {
        scheme.cycles *= 5;
        scheme.weight_bytes *= 3;
        scheme.workspace_bytes *= 3;
      }
    }
    const scheduler::Schedule after = scheduler::solve_exact(problem);
    REQUIRE(before.stages == after.stages);
    REQUIRE(after.cycles == 5 * before.cycles);
  }
}

TEST_CASE("groups stand in order of decreasing capacity and name each scheme once") {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < trials; ++trial) {
    const scheduler::ScheduleProblem problem = random_problem(random);
    const scheduler::Schedule schedule = scheduler::solve_exact(problem);
    for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
      for (std::size_t g = 1; g < schedule.stages[s].size(); ++g) {
        const auto capacity = [&](std::size_t group) {
          return problem.stages[s].schemes[static_cast<std::size_t>(schedule.stages[s][group].scheme)].capacity;
        };
        REQUIRE(capacity(g - 1) >= capacity(g));
        REQUIRE(schedule.stages[s][g - 1].scheme != schedule.stages[s][g].scheme);
      }
    }
  }
}

TEST_CASE("the exact solver and the compact program agree on random problems of a model's size") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 40; ++trial) {
    const scheduler::ScheduleProblem problem = random_problem(random);
    CAPTURE(trial);
    const scheduler::Schedule exact = scheduler::solve_exact(problem);
    const scheduler::Schedule compact = scheduler::solve_compact_milp(problem);
    REQUIRE(exact.feasible == compact.feasible);
    REQUIRE(exact.cycles == compact.cycles);
  }
}

}  // namespace pimsweep::systems::allspark
