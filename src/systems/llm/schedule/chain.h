#pragma once

#include <cstddef>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Schedule of a batch that is not divided: its operators run in sequence.
struct ChainSchedule {
  double seconds = 0;
  /// Lower bound, from the relaxation in which data are on both sides at once.
  double lower_bound = 0;
  /// Ways of all blocks, block after block; empty if no sequence of ways covers them.
  std::vector<std::size_t> ways;
};

/// The fastest sequence of ways for `rows` rows: a shortest path over operator and side, exact for all blocks, which
/// need not be alike. Ways x blocks steps at most.
ChainSchedule solve_chain(const StepProblem& problem, std::size_t rows);

}  // namespace pimsweep::systems::llm::schedule
