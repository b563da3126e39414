#include "systems/rtconc/schedule/list_scheduling.h"

#include <algorithm>
#include <cmath>

#include "base/downward.h"

namespace pimsweep::systems::rtconc::schedule {

namespace {

/// Lengths of the longest paths to the end. Operations wait for earlier ones only, so successors are visited first.
std::vector<double> paths_to_end(const Step& step, std::span<const double> seconds_of_class, double dispatch) {
  std::vector<double> path(step.size());
  for (const std::size_t i : downward(step.size())) {
    for (const std::uint32_t follower : step.waiting_for(static_cast<std::uint32_t>(i))) {
      path[i] = std::max(path[i], path[follower]);
    }
    if (step.operation_class[i] != Step::none) path[i] += seconds_of_class[step.operation_class[i]] + dispatch;
  }
  return path;
}

}  // namespace

void Uniform::dispatch(Board& board) const {
  while (board.active().size() < inter_ && board.any_ready()) {
    const std::uint32_t operation = board.first_ready();
    const RunCost& cost = costs_.at(board.class_of(operation), 0);
    board.start(operation, cost, cost.seconds);
  }
}

Moldable::Moldable(const CostTable& costs, double price, double room)
    : costs_(costs), room_(room), chosen_(costs.classes()) {
  double max_cores = 1;
  for (const RunCost& cost : costs.of(0)) max_cores = std::max(max_cores, cost.cores);
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    double lowest = INFINITY;
    for (std::size_t which = 0; which < costs.cases(); ++which) {
      const RunCost& cost = costs.at(c, which);
      const double value = cost.seconds * (1 + price * cost.cores / max_cores);
      if (value >= lowest) continue;
      lowest = value;
      chosen_[c] = which;
    }
  }
}

std::vector<double> Moldable::priorities(const Step& step) const {
  std::vector<double> seconds(chosen_.size());
  for (std::size_t c = 0; c < chosen_.size(); ++c) seconds[c] = costs_.at(c, chosen_[c]).seconds;
  return paths_to_end(step, seconds, 0);
}

void Moldable::dispatch(Board& board) const {
  const double max_threads = room_ * board.device().cores;
  for (std::uint32_t i = board.first_ready(); i != Board::nobody && board.threads() < max_threads;) {
    const std::uint32_t next = board.after(i);
    const RunCost& cost = costs_.at(board.class_of(i), chosen_[board.class_of(i)]);
    if (board.threads() + cost.threads <= max_threads) board.start(i, cost, cost.seconds);
    i = next;
  }
}

double critical_path(const Step& step, std::span<const double> seconds_of_class, double dispatch) {
  const std::vector<double> path = paths_to_end(step, seconds_of_class, dispatch);
  return path.empty() ? 0 : *std::max_element(path.begin(), path.end());
}

}  // namespace pimsweep::systems::rtconc::schedule
