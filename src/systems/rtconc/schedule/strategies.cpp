#include "systems/rtconc/schedule/strategies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pimsweep::systems::rtconc::schedule {

Strategies::Strategies(const CostTable& costs, const Prediction& prediction, std::span<const OperationClass> classes,
                       const StrategySet& set)
    : costs_(costs), prediction_(prediction), set_(set), chosen_(classes.size()), candidates_(classes.size()) {
  std::vector<std::size_t> order(prediction.cases);
  std::uint32_t kinds = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::span<const double> seconds = prediction.of(c);
    std::iota(order.begin(), order.end(), 0);
    const std::size_t shown = std::min(candidates, order.size());
    // Among equal times, the case with the fewest threads wins: cases are in that order.
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
        [&](std::size_t a, std::size_t b) { return seconds[a] < seconds[b] || (seconds[a] == seconds[b] && a < b); });
    chosen_[c] = order[0];
    for (std::size_t i = 0; i < candidates; ++i) candidates_[c][i] = order[std::min(i, shown - 1)];
    kinds = std::max(kinds, classes[c].kind + 1);
    if (classes[c].resizable) continue;
    chosen_[c] = prediction.cases - 1;
    candidates_[c].fill(chosen_[c]);
  }
  if (!set.fixed_by_type) return;
  std::vector<std::size_t> largest(kinds, classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::size_t& best = largest[classes[c].kind];
    // The largest instance is the one with the most work: the first case is one thread.
    if (best == classes.size() || prediction.of(c)[0] > prediction.of(best)[0]) best = c;
  }
  std::vector<std::size_t> by_kind(kinds);
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    if (largest[kind] < classes.size()) by_kind[kind] = chosen_[largest[kind]];
  }
  for (std::size_t c = 0; c < classes.size(); ++c) chosen_[c] = by_kind[classes[c].kind];
}

void Strategies::avoid(std::vector<char> pairs, std::size_t kinds) {
  avoided_ = std::move(pairs);
  kinds_ = kinds;
}

void Strategies::start(Board& board, const Choice& choice) const {
  const std::uint32_t operation_class = board.class_of(choice.operation);
  board.start(choice.operation, costs_.at(operation_class, choice.which), predicted(operation_class, choice.which));
}

bool Strategies::tolerates(const Board& board, std::uint32_t operation) const {
  if (avoided_.empty()) return true;
  const std::size_t row = board.kind_of(operation) * kinds_;
  return std::none_of(board.active().begin(), board.active().end(),
                      [&](const Active& other) { return avoided_[row + board.kind_of(other.operation)] != 0; });
}

/// The longest ready operation with the threads of Strategies 1 and 2.
Strategies::Choice Strategies::longest(const Board& board, double idle) const {
  Choice best;
  double longest_seconds = -1;
  for (std::uint32_t i = board.first_ready(); i != Board::nobody; i = board.after(i)) {
    const std::uint32_t operation_class = board.class_of(i);
    const double seconds = predicted(operation_class, chosen_[operation_class]);
    if (seconds <= longest_seconds) continue;
    longest_seconds = seconds;
    best = {i, chosen_[operation_class]};
  }
  if (best.operation == Board::nobody) return best;
  const bool may = !set_.longest_waits || costs_.at(board.class_of(best.operation), best.which).cores <= idle;
  return may && tolerates(board, best.operation) ? best : Choice{};
}

/// The first ready operation with a candidate that fits into the idle cores and ends no later than running operations,
/// with the candidate of the fewest threads, or with the number of Strategy 2 if the candidate is far from it.
Strategies::Choice Strategies::fitting(const Board& board, double idle, double remaining) const {
  for (std::uint32_t i = board.first_ready(); i != Board::nobody; i = board.after(i)) {
    const std::uint32_t operation_class = board.class_of(i);
    const std::span<const RunCost> costs = costs_.of(operation_class);
    const std::size_t by_type = chosen_[operation_class];
    Choice best;
    for (const std::size_t which : candidates_[operation_class]) {
      if (costs[which].cores > idle || predicted(operation_class, which) > remaining) continue;
      if (best.operation == Board::nobody || costs[which].cores < costs[best.which].cores) best = {i, which};
    }
    if (best.operation == Board::nobody) continue;
    if (std::abs(costs[best.which].team.threads - costs[by_type].team.threads) > max_difference) best.which = by_type;
    if (costs[best.which].cores <= idle && tolerates(board, i)) return best;
  }
  return {};
}

/// The ready operation with the shortest time on one thread, if there are hardware threads for it and it ends no later
/// than running operations.
Strategies::Choice Strategies::smallest(const Board& board, double room, double remaining) const {
  Choice best;
  double shortest = INFINITY;
  for (std::uint32_t i = board.first_ready(); i != Board::nobody; i = board.after(i)) {
    const std::uint32_t operation_class = board.class_of(i);
    const double alone = predicted(operation_class, 0);
    if (alone >= shortest) continue;
    shortest = alone;
    best = {i, chosen_[operation_class]};
  }
  if (best.operation == Board::nobody) return best;
  const std::uint32_t operation_class = board.class_of(best.operation);
  const bool fits =
      costs_.at(operation_class, best.which).threads <= room && predicted(operation_class, best.which) <= remaining;
  return fits && tolerates(board, best.operation) ? best : Choice{};
}

void Strategies::dispatch(Board& board) {
  if (!set_.co_run) {
    if (!board.active().empty() || !board.any_ready()) return;
    const std::uint32_t operation = board.first_ready();
    return start(board, {operation, chosen_[board.class_of(operation)]});
  }
  while (board.any_ready()) {
    double remaining = 0;
    bool full = false;
    for (const Active& active : board.active()) {
      remaining = std::max(remaining, active.expected_end - board.now());
      full = full || active.cost->cores >= board.device().cores;
    }
    Choice choice;
    if (const double idle = board.idle_cores(); idle > 0) {
      if (!board.active().empty()) choice = fitting(board, idle, remaining);
      if (choice.operation == Board::nobody) choice = longest(board, idle);
    } else if (set_.hyper_threads && full) {
      choice = smallest(board, 2 * board.device().cores - board.threads(), remaining);
    }
    if (choice.operation == Board::nobody) return;
    start(board, choice);
  }
}

}  // namespace pimsweep::systems::rtconc::schedule
