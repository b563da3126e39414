#include "systems/llm/schedule/chain_in_room.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "systems/allspark/scheduler/cbc_program.h"
#include "systems/llm/schedule/random_problem.h"

namespace pimsweep::systems::llm::schedule {
namespace {

using allspark::scheduler::CbcProgram;

/// A block's ways with their seconds and room.
struct Choice {
  double seconds = 0;
  double room = 0;
};

/// Every sequence of ways through a block that begins and ends with data on the GPU.
void list_everything(const StepProblem& problem, std::span<const double> room, std::size_t op, Side side, Choice so_far,
                     std::vector<Choice>& all) {
  if (op == problem.operators) {
    if (side == Side::pim) so_far.seconds += problem.move_seconds(op, Side::gpu, problem.rows);
    all.push_back(so_far);
    return;
  }
  for (std::size_t w = 0; w < problem.ways.size(); ++w) {
    const Way& way = problem.ways[w];
    if (way.first != op) continue;
    const double moved = side == way.needs ? 0 : problem.move_seconds(op, way.needs, problem.rows);
    list_everything(problem, room, way.last, way.leaves,
                    {so_far.seconds + moved + way.seconds(problem.rows), so_far.room + room[w]}, all);
  }
}

struct RandomRoom {
  StepProblem problem;
  std::vector<double> room_of_way;
  std::vector<Alternative> alternatives;
  double room = 0;
  std::vector<Choice> choices;

  explicit RandomRoom(std::mt19937& random) : problem(random_problem(random, 3, 4, 2)) {
    const auto draw = [&](unsigned below) { return static_cast<double>(random() % below); };
    for (std::size_t w = 0; w < problem.ways.size(); ++w) room_of_way.push_back(draw(5));
    for (std::size_t a = 0; a < 1 + random() % 2; ++a) alternatives.push_back({draw(10), draw(6)});
    room = draw(25);
    list_everything(problem, room_of_way, 0, Side::gpu, {}, choices);
  }

  /// Least seconds by the room that is taken, block after block.
  double try_everything() const {
    double least = infinite;
    for (const Alternative& alternative : alternatives) {
      if (alternative.room > room) continue;
      const auto cells = static_cast<std::size_t>(room - alternative.room) + 1;
      std::vector<double> best(cells, alternative.seconds);
      for (std::size_t block = 0; block < problem.blocks; ++block) {
        std::vector<double> next(cells, infinite);
        for (std::size_t cell = 0; cell < cells; ++cell) {
          for (const Choice& choice : choices) {
            const auto taken = static_cast<std::size_t>(choice.room);
            if (taken <= cell) next[cell] = std::min(next[cell], best[cell - taken] + choice.seconds);
          }
        }
        best = next;
      }
      least = std::min(least, best.back());
    }
    return least;
  }

  double by_cbc() const {
    CbcProgram program;
    std::vector<CbcProgram::Term> one;
    std::vector<CbcProgram::Term> blocks;
    std::vector<CbcProgram::Term> taken;
    for (const Alternative& alternative : alternatives) {
      const int column = program.add_binary(alternative.seconds);
      one.push_back({column, 1});
      taken.push_back({column, alternative.room});
    }
    for (const Choice& choice : choices) {
      const int column = program.add_column(0, static_cast<double>(problem.blocks), choice.seconds, true);
      blocks.push_back({column, 1});
      taken.push_back({column, choice.room});
    }
    program.add_row(1, 1, one);
    program.add_row(static_cast<double>(problem.blocks), static_cast<double>(problem.blocks), blocks);
    program.add_row(-CbcProgram::infinity, room, taken);
    const CbcProgram::Result result = program.solve(10);
    if (result.outcome != CbcProgram::Outcome::optimal) return infinite;
    double seconds = 0;
    for (std::size_t a = 0; a < alternatives.size(); ++a) seconds += result.values[a] * alternatives[a].seconds;
    for (std::size_t c = 0; c < choices.size(); ++c) {
      seconds += result.values[alternatives.size() + c] * choices[c].seconds;
    }
    return seconds;
  }
};

}  // namespace

TEST_CASE("blocks in limited room: the bound is below every division, and few divisions are better") {
  std::mt19937 random(21);
  int feasible = 0;
  int optimal = 0;
  for (int i = 0; i < 4000; ++i) {
    const RandomRoom some(random);
    const ChainInRoom chain =
        solve_chain_in_room(some.problem, some.problem.rows, some.room_of_way, some.alternatives, some.room);
    const double least = some.try_everything();
    REQUIRE((least == infinite) == (chain.seconds == infinite));
    if (least == infinite) continue;
    ++feasible;
    REQUIRE(chain.lower_bound <= least + 1e-9);
    REQUIRE(chain.seconds >= least - 1e-9);
    optimal += chain.seconds <= least + 1e-9 ? 1 : 0;
    // What is returned is what was counted.
    double seconds = some.alternatives[chain.alternative].seconds;
    double room = some.alternatives[chain.alternative].room;
    std::size_t blocks = 0;
    StepProblem one = some.problem;
    one.blocks = 1;
    for (const ChainInRoom::Part& part : chain.parts) {
      blocks += part.blocks;
      seconds += static_cast<double>(part.blocks) * length(make_job(one, part.ways, one.rows));
      for (const std::size_t way : part.ways) room += static_cast<double>(part.blocks) * some.room_of_way[way];
    }
    REQUIRE(blocks == some.problem.blocks);
    REQUIRE(seconds == Approx(chain.seconds).margin(1e-9));
    REQUIRE(room == Approx(chain.room).margin(1e-9));
    REQUIRE(room <= some.room + 1e-9);
  }
  CHECK(feasible > 2000);
  CHECK(optimal > feasible * 99 / 100);
}

TEST_CASE("CBC finds no better blocks in limited room than the bound") {
  std::mt19937 random(22);
  int compared = 0;
  for (int i = 0; i < 40; ++i) {
    const RandomRoom some(random);
    const ChainInRoom chain =
        solve_chain_in_room(some.problem, some.problem.rows, some.room_of_way, some.alternatives, some.room);
    const double least = some.by_cbc();
    REQUIRE((least == infinite) == (chain.seconds == infinite));
    if (least == infinite) continue;
    CHECK(chain.lower_bound <= least * (1 + 1e-6) + 1e-6);
    CHECK(chain.seconds >= least * (1 - 1e-6) - 1e-6);
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE(
    "with many blocks, seconds are within one block of the bound, and with room for all they are those of a chain") {
  std::mt19937 random(23);
  for (int i = 0; i < 500; ++i) {
    RandomRoom some(random);
    some.problem.blocks = 40;
    const double most = std::ranges::max_element(some.choices, {}, &Choice::seconds)->seconds;
    const auto solve = [&](double room) {
      return solve_chain_in_room(some.problem, some.problem.rows, some.room_of_way, some.alternatives, room);
    };
    const ChainInRoom chain = solve(5 * some.room);
    if (chain.seconds < infinite) CHECK(chain.seconds <= chain.lower_bound + most + 1e-9);
    const ChainInRoom free = solve(1e9);
    CHECK(free.seconds == Approx(free.lower_bound).margin(1e-9));
    CHECK(free.parts.size() == 1);
  }
}

}  // namespace pimsweep::systems::llm::schedule
