#pragma once

#include <cstddef>

#include "systems/rtconc/schedule/board.h"

namespace pimsweep::systems::rtconc::schedule {

/// TensorFlow's own executor: operations in the order in which they become ready, at most `inter` at a time, all in the
/// only case of `costs`.
class Uniform {
 public:
  Uniform(const CostTable& costs, std::size_t inter) : costs_(costs), inter_(inter) {}

  void dispatch(Board& board) const;

 private:
  const CostTable& costs_;
  std::size_t inter_;
};

}  // namespace pimsweep::systems::rtconc::schedule
