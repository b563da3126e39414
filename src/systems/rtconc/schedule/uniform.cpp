#include "systems/rtconc/schedule/uniform.h"

namespace pimsweep::systems::rtconc::schedule {

void Uniform::dispatch(Board& board) const {
  while (board.active().size() < inter_ && board.any_ready()) {
    const std::uint32_t operation = board.first_ready();
    const RunCost& cost = costs_.at(board.class_of(operation), 0);
    board.start(operation, cost, cost.seconds);
  }
}

}  // namespace pimsweep::systems::rtconc::schedule
