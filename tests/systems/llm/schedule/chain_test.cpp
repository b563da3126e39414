#include "systems/llm/schedule/chain.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/allspark/scheduler/cbc_program.h"
#include "systems/llm/schedule/random_problem.h"

namespace pimsweep::systems::llm::schedule {
namespace {

using allspark::scheduler::CbcProgram;

/// Every sequence of ways from an operator of a block on.
double try_everything(const StepProblem& problem, std::size_t block, std::size_t op, Side side) {
  const auto move = [&](Side to) { return side == to ? 0 : problem.move_seconds(op, to, problem.rows); };
  if (op == problem.operators) {
    ++block;
    op = 0;
  }
  if (block == problem.blocks) return move(Side::gpu);
  double least = infinite;
  for (const Way& way : problem.ways) {
    if (way.first != op) continue;
    least = std::min(
        least, move(way.needs) + way.seconds(problem.rows) + try_everything(problem, block, way.last, way.leaves));
  }
  return least;
}

/// Binaries for each way, where it runs, and each move of data before an operator: a path of one unit through
/// (operator, side).
double by_cbc(const StepProblem& problem) {
  const std::size_t states = problem.blocks * problem.operators + 1;
  std::vector<std::vector<CbcProgram::Term>> flow(2 * states);
  CbcProgram program;
  std::vector<double> costs;
  const auto add_arc = [&](std::size_t from, Side from_side, std::size_t to, Side to_side, double seconds) {
    const int column = program.add_binary(seconds);
    costs.push_back(seconds);
    flow[2 * from + static_cast<std::size_t>(from_side)].push_back({column, 1});
    flow[2 * to + static_cast<std::size_t>(to_side)].push_back({column, -1});
  };
  for (std::size_t at = 0; at < states; ++at) {
    for (const Side to : all_sides) {
      add_arc(at, other(to), at, to, problem.move_seconds(at % problem.operators, to, problem.rows));
    }
    for (const Way& way : problem.ways) {
      const std::size_t end = at + way.last - way.first;
      if (way.first != at % problem.operators || end >= states) continue;
      add_arc(at, way.needs, end, way.leaves, way.seconds(problem.rows));
    }
  }
  for (std::size_t state = 0; state < flow.size(); ++state) {
    const double out = state == 0 ? 1 : state == 2 * (states - 1) ? -1 : 0;
    program.add_row(out, out, flow[state]);
  }
  const CbcProgram::Result result = program.solve(10);
  if (result.outcome != CbcProgram::Outcome::optimal) return infinite;
  double seconds = 0;
  for (std::size_t c = 0; c < costs.size(); ++c) seconds += result.values[c] * costs[c];
  return seconds;
}

}  // namespace

TEST_CASE("CBC finds no faster sequence of ways") {
  std::mt19937 random(24);
  for (int i = 0; i < 40; ++i) {
    const StepProblem problem = random_problem(random, 4, 5, 4);
    CHECK(by_cbc(problem) == Approx(solve_chain(problem, problem.rows).seconds).margin(1e-6));
  }
}

TEST_CASE("no sequence of ways is faster than the shortest path") {
  std::mt19937 random(3);
  int with_moves = 0;
  for (int i = 0; i < 2500; ++i) {
    const StepProblem problem = random_problem(random, 3, 2, 4);
    validate(problem);
    const ChainSchedule schedule = solve_chain(problem, problem.rows);
    REQUIRE(schedule.seconds == try_everything(problem, 0, 0, Side::gpu));
    REQUIRE(schedule.lower_bound <= schedule.seconds);
    with_moves += schedule.lower_bound < schedule.seconds ? 1 : 0;
    // The ways returned take that long; one "block" of a job is all of them.
    StepProblem once = problem;
    once.blocks = 1;
    REQUIRE(length(make_job(once, schedule.ways, problem.rows)) == schedule.seconds);
    std::size_t next = 0;
    for (const std::size_t w : schedule.ways) {
      REQUIRE(problem.ways[w].first == next % problem.operators);
      next += problem.ways[w].last - problem.ways[w].first;
    }
    REQUIRE(next == problem.blocks * problem.operators);
  }
  CHECK(with_moves > 500);
}

TEST_CASE("a block that no ways cover cannot be run") {
  StepProblem problem{.operators = 2, .blocks = 3, .rows = 1};
  problem.ways.push_back({0, 1, Side::gpu, Side::gpu, {{gpu_only, {0, 1}}}});
  const ChainSchedule schedule = solve_chain(problem, 1);
  CHECK(schedule.seconds == infinite);
  CHECK(schedule.ways.empty());
}

TEST_CASE("problems that make no sense are refused") {
  const auto with = [](const Way& way) {
    StepProblem problem{.operators = 2, .blocks = 1, .rows = 2};
    problem.ways.push_back(way);
    return problem;
  };
  CHECK_NOTHROW(validate(with({0, 2, Side::gpu, Side::gpu, {{gpu_only, {0, 1, 2}}}})));
  CHECK_THROWS_AS(validate(with({1, 1, Side::gpu, Side::gpu, {}})), PointError);
  CHECK_THROWS_AS(validate(with({1, 3, Side::gpu, Side::gpu, {}})), PointError);
  CHECK_THROWS_AS(validate(with({0, 1, Side::gpu, Side::gpu, {{gpu_only, {0, 1}}}})), PointError);
  CHECK_THROWS_AS(validate(with({0, 1, Side::gpu, Side::gpu, {{gpu_only, {0, -1, 2}}}})), PointError);
  StepProblem moves{.operators = 1, .blocks = 1, .rows = 1};
  moves.moves.resize(2);
  CHECK_THROWS_AS(validate(moves), PointError);
  moves.moves.resize(1);
  moves.moves[0][1] = {0};
  CHECK_THROWS_AS(validate(moves), PointError);
}

}  // namespace pimsweep::systems::llm::schedule
