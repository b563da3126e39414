#pragma once

#include <random>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Seconds by rows: a fixed part and one for each row, whole numbers.
inline std::vector<double> random_seconds(std::mt19937& random, std::size_t rows, unsigned largest) {
  const double fixed = static_cast<double>(random() % largest);
  const double each = static_cast<double>(random() % largest);
  std::vector<double> seconds;
  for (std::size_t r = 0; r <= rows; ++r) seconds.push_back(fixed + each * static_cast<double>(r));
  return seconds;
}

/// Each operator on either side, some split, some pairs of operators in a pipeline; moves between the sides.
inline StepProblem random_problem(std::mt19937& random, std::size_t max_operators, std::size_t max_blocks,
                                  std::size_t max_rows) {
  StepProblem problem;
  problem.operators = 1 + random() % max_operators;
  problem.blocks = 1 + random() % max_blocks;
  problem.rows = 1 + random() % max_rows;
  for (std::size_t i = 0; i < problem.operators; ++i) {
    problem.ways.push_back({i, i + 1, Side::gpu, Side::gpu, {{gpu_only, random_seconds(random, problem.rows, 6)}}});
    if (random() % 4 != 0) {
      problem.ways.push_back({i, i + 1, Side::pim, Side::pim, {{pim_only, random_seconds(random, problem.rows, 6)}}});
    }
    if (random() % 4 == 0) {
      problem.ways.push_back({i,
                              i + 1,
                              Side::gpu,
                              Side::gpu,
                              {{link_only, random_seconds(random, problem.rows, 2)},
                               {both_sides, random_seconds(random, problem.rows, 4)}}});
    }
    if (i + 1 < problem.operators && random() % 4 == 0) {
      problem.ways.push_back({i, i + 2, Side::gpu, Side::pim, {{everything, random_seconds(random, problem.rows, 6)}}});
    }
    problem.moves.push_back({random_seconds(random, problem.rows, 3),
                             random() % 3 == 0 ? std::vector<double>{} : random_seconds(random, problem.rows, 3)});
  }
  // The order of the ways does not matter.
  std::shuffle(problem.ways.begin(), problem.ways.end(), random);
  if (random() % 3 == 0) problem.conflicts.set(Resource::gpu, Resource::pim, true);
  if (random() % 3 == 0) problem.conflicts.set(Resource::link, Resource::link, false);
  return problem;
}

}  // namespace pimsweep::systems::llm::schedule
