#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/schedule/board.h"

namespace pimsweep::systems::rtconc::schedule {

/// The strategies of Sec. III-D in use, besides Strategy 1.
struct StrategySet {
  /// All operations of a type have the threads of the longest one.
  bool fixed_by_type = false;
  /// Operations run side by side.
  bool co_run = false;
  /// Small operations run on the second hardware threads of an operation that has all cores.
  bool hyper_threads = false;
  /// The longest operation waits until its cores are idle. Strategy 3 as written starts it on any idle core, so that it
  /// shares the others.
  bool longest_waits = false;
};

/// The runtime of Sec. III-D. It decides by predicted times alone; operations take the times of `costs`.
///
///     Strategies policy(costs, prediction, classes, {.fixed_by_type = true, .co_run = true});
///     const Outcome& outcome = simulate(board, policy, overheads);
class Strategies {
 public:
  /// Number of candidates, and the difference in threads above which an operation falls back to the number of its type
  /// (values of the paper).
  static constexpr std::size_t candidates = 3;
  static constexpr double max_difference = 2;

  Strategies(const CostTable& costs, const Prediction& prediction, std::span<const OperationClass> classes,
             const StrategySet& set);

  void dispatch(Board& board);
  /// Pairs of types to keep apart (kinds x kinds), as recorded in an earlier step.
  void avoid(std::vector<char> pairs, std::size_t kinds);
  /// The case of a class by Strategies 1 and 2.
  std::size_t chosen(std::size_t operation_class) const { return chosen_[operation_class]; }

 private:
  struct Choice {
    std::uint32_t operation = Board::nobody;
    std::size_t which = 0;
  };

  void start(Board& board, const Choice& choice) const;
  Choice longest(const Board& board, double idle) const;
  Choice fitting(const Board& board, double idle, double remaining) const;
  Choice smallest(const Board& board, double room, double remaining) const;
  bool tolerates(const Board& board, std::uint32_t operation) const;
  double predicted(std::uint32_t operation_class, std::size_t which) const {
    return prediction_.seconds[operation_class * prediction_.cases + which];
  }

  const CostTable& costs_;
  const Prediction& prediction_;
  StrategySet set_;
  std::vector<std::size_t> chosen_;
  std::vector<std::array<std::size_t, candidates>> candidates_;
  std::vector<char> avoided_;
  std::size_t kinds_ = 0;
};

}  // namespace pimsweep::systems::rtconc::schedule
