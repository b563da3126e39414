#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// Alternative for the operators outside the blocks, which run once: its seconds and the memory that it takes.
struct Alternative {
  double seconds = 0;
  double room = 0;
};

/// Schedule of a batch that is not divided, with limited memory on PIM.
struct ChainInRoom {
  /// Blocks that run alike.
  struct Part {
    Assignment ways;
    std::size_t blocks = 0;
  };

  /// Infinite if nothing fits.
  double seconds = infinite;
  /// Lower bound on the seconds of all blocks and alternatives that fit. It also holds for splits of an operator in
  /// other shares than those listed, if the seconds of a split operator rise with the share that takes no memory.
  double lower_bound = infinite;
  /// Memory that is used, and the gain of an additional unit of it.
  double room = 0;
  double price = 0;
  std::size_t alternative = 0;
  std::vector<Part> parts;
};

/// The fastest ways of all blocks, which begin and end with their data on the GPU and need not be alike, beside one of
/// the alternatives: room_of_way[w] is taken by each block that runs way w, and all together take at most `room`. The
/// front of seconds and room of a block is exact; of all blocks, but for two that use what is left, each has one of two
/// assignments, neighbors on the lower hull of the front. The bound is the hull's.
ChainInRoom solve_chain_in_room(const StepProblem& problem, std::size_t rows, std::span<const double> room_of_way,
                                std::span<const Alternative> alternatives, double room);

}  // namespace pimsweep::systems::llm::schedule
