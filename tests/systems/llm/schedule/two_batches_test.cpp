#include "systems/llm/schedule/two_batches.h"

#include <catch2/catch.hpp>

#include "systems/llm/schedule/assignments.h"
#include "systems/llm/schedule/quantum.h"
#include "systems/llm/schedule/random_problem.h"
#include "systems/llm/schedule/size_ranges.h"
#include "systems/llm/schedule/two_job_orders.h"
#include "systems/llm/schedule/two_jobs.h"

namespace pimsweep::systems::llm::schedule {
namespace {

/// Every sequence of ways through one block.
void list_everything(const StepProblem& problem, std::size_t op, Assignment& current, std::vector<Assignment>& all) {
  if (op == problem.operators) {
    all.push_back(current);
    return;
  }
  for (std::size_t w = 0; w < problem.ways.size(); ++w) {
    if (problem.ways[w].first != op) continue;
    current.push_back(w);
    list_everything(problem, problem.ways[w].last, current, all);
    current.pop_back();
  }
}

double try_everything(const StepProblem& problem) {
  std::vector<Assignment> all;
  Assignment current;
  list_everything(problem, 0, current, all);
  double least = infinite;
  for (std::size_t rows = 1; 2 * rows <= problem.rows; ++rows) {
    for (const Assignment& first : all) {
      for (const Assignment& second : all) {
        least = std::min(least, best_order(problem.conflicts, make_job(problem, first, rows),
                                           make_job(problem, second, problem.rows - rows)));
      }
    }
  }
  return least;
}

}  // namespace

TEST_CASE("no sizes, assignments and orders of two sub-batches end earlier") {
  std::mt19937 random(12);
  int above_bound = 0;
  int pays = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepProblem problem = random_problem(random, 2, i % 4 == 0 ? 2 : 1, 5);
    const TwoBatchSchedule schedule = solve_two_batches(problem);
    const double least = try_everything(problem);
    REQUIRE(schedule.proven);
    if (problem.rows < 2) {
      REQUIRE(schedule.seconds == infinite);
      continue;
    }
    REQUIRE(schedule.seconds == least);
    REQUIRE(schedule.lower_bound <= least * (1 + 1e-12));
    REQUIRE(schedule.rows[0] + schedule.rows[1] == problem.rows);
    for (std::size_t s = 0; s < 2; ++s) {
      const Job job = make_job(problem, schedule.assignments[s], schedule.rows[s]);
      REQUIRE(job.size() == schedule.jobs[s].size());
      REQUIRE(length(job) == length(schedule.jobs[s]));
    }
    REQUIRE(end_of(problem.conflicts, schedule.jobs[0], schedule.jobs[1], schedule.starts) == least);
    above_bound += schedule.lower_bound < least * (1 - 1e-12) ? 1 : 0;
    // A cutoff hides nothing below it.
    REQUIRE(solve_two_batches(problem, {.cutoff = least * 1.01 + 1e-3}).seconds == least);
    REQUIRE(solve_two_batches(problem, {.cutoff = least}).seconds == infinite);
    pays += schedule.rows[0] > 1 ? 1 : 0;
  }
  CHECK(above_bound > 100);
  CHECK(pays > 100);
}

TEST_CASE("ranges of sizes change no optimum") {
  std::mt19937 random(15);
  int wide = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepProblem problem = random_problem(random, 3, 6, 40);
    const TwoBatchSchedule schedule = solve_two_batches(problem);
    const TwoBatchSchedule one_by_one = solve_two_batches(problem, {.has_ranges = false});
    REQUIRE(schedule.proven);
    REQUIRE(one_by_one.proven);
    REQUIRE(schedule.seconds == one_by_one.seconds);
    REQUIRE(schedule.lower_bound == one_by_one.lower_bound);
    // The best pair is below, and so not excluded at its size, whatever is beside it.
    if (problem.rows < 8 || schedule.seconds == infinite) continue;
    SizeRanges ranges(problem, quantum_of(schedule.seconds), true);
    const double target = 1.001 * schedule.seconds;
    for (std::size_t rows = 1; 2 * rows <= problem.rows; ++rows) {
      const bool is_excluded = ranges.exclude(schedule.assignments[0], schedule.assignments[1], rows, target);
      wide += is_excluded ? 1 : 0;
      REQUIRE_FALSE((is_excluded && rows == schedule.rows[0]));
    }
  }
  CHECK(wide > 100);
}

TEST_CASE("an assignment is dominated only by one that can take its places") {
  const Job one{{gpu_only, 2}, {pim_only, 3}, {gpu_only, 2}};
  CHECK(dominates(one, one));
  CHECK(dominates(Job{}, one));
  CHECK_FALSE(dominates(one, Job{}));
  CHECK(dominates(Job{{gpu_only, 1}, {gpu_only, 1}, {pim_only, 1}}, one));
  CHECK(dominates(Job{{pim_only, 3}, {gpu_only, 2}}, one));
  // Together as long on the GPU, but without the pause between.
  CHECK_FALSE(dominates(Job{{gpu_only, 4}, {pim_only, 3}}, one));
  CHECK_FALSE(dominates(Job{{link_only, 1}}, one));
  CHECK(dominates(Job{{pim_only, 1}, {gpu_only, 2}}, Job{{both_sides, 3}}));
}

TEST_CASE("a search with no room for anything says that it proves nothing") {
  std::mt19937 random(13);
  int stopped = 0;
  for (int i = 0; i < 50; ++i) {
    const StepProblem problem = random_problem(random, 2, 2, 6);
    const TwoBatchSchedule schedule = solve_two_batches(problem, {.max_corners = 1});
    if (problem.rows >= 2 && !schedule.proven) ++stopped;
    if (schedule.seconds < infinite) CHECK(schedule.seconds >= schedule.lower_bound * (1 - 1e-12));
  }
  CHECK(stopped > 0);
}

}  // namespace pimsweep::systems::llm::schedule
