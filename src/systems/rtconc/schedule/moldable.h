#pragma once

#include <span>
#include <vector>

#include "systems/rtconc/schedule/board.h"

namespace pimsweep::systems::rtconc::schedule {

/// List scheduling of moldable operations: each class gets the case that minimises time x (1 + price x share of the
/// cores), and of the ready operations that fit into the idle cores the one with the longest way to the end begins
/// first. With the true times; `price` says how dear cores are, `room` how many threads of different operations a core
/// may have.
class Moldable {
 public:
  Moldable(const CostTable& costs, double price, double room);

  void dispatch(Board& board) const;
  /// Longest way from each operation to the end of the step.
  std::vector<double> priorities(const Step& step) const;

 private:
  const CostTable& costs_;
  double room_;
  std::vector<std::size_t> chosen_;
};

/// Longest way through the step if each class takes so many seconds.
double critical_path(const Step& step, std::span<const double> seconds_of_class, double dispatch);

}  // namespace pimsweep::systems::rtconc::schedule
