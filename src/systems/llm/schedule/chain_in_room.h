#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// What runs once beside the blocks: its seconds, and the room that it takes.
struct Alternative {
  double seconds = 0;
  double room = 0;
};

/// A batch that runs as a whole, one way after the other, in limited room.
struct ChainInRoom {
  /// Blocks that run alike.
  struct Part {
    Assignment ways;
    std::size_t blocks = 0;
  };

  /// Infinite if nothing fits.
  double seconds = infinite;
  /// What no blocks and alternatives that fit are below; also not if an operator may be split in other shares than its
  /// ways have, as long as its seconds, once it is split, rise with the share that takes no room.
  double lower_bound = infinite;
  /// Room that is taken, and what a unit of it would gain.
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
