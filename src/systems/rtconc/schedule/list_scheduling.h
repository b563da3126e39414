#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

/// List scheduling of moldable operations by the true times: each class gets the case that minimizes time x (1 + price
/// x share of the cores), and of the ready operations that fit, the one with the longest path to the end starts first.
/// `room` is the maximum number of threads on a core.
class Moldable {
 public:
  Moldable(const CostTable& costs, double price, double room);

  void dispatch(Board& board) const;
  /// Length of the longest path from each operation to the end of the step.
  std::vector<double> priorities(const Step& step) const;

 private:
  const CostTable& costs_;
  double room_;
  std::vector<std::size_t> chosen_;
};

/// Length of the critical path if each class takes the given seconds.
double critical_path(const Step& step, std::span<const double> seconds_of_class, double dispatch);

}  // namespace pimsweep::systems::rtconc::schedule
