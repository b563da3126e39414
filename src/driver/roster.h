#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/rank_set.h"

namespace pimsweep::driver {

/// Who is idle and who can take a further grant, kept up to date with each change, so that no round of the manager has
/// to look at all ranks.
class Roster {
 public:
  /// Outstanding grants of a rank: enough to keep it busy while the manager waits for a turn on a busy core.
  static constexpr std::size_t max_grants_in_hand = 4;

  /// All ranks are absent.
  explicit Roster(std::size_t ranks)
      : states_(ranks), idle_(ranks), with_grants_(max_grants_in_hand - 1, RankSet(ranks)) {}

  struct State {
    /// Neither lost nor only managing.
    bool is_there = false;
    std::size_t grants = 0;
    /// True if the grant in evaluation may kill the rank: it takes no further one meanwhile.
    bool is_isolated = false;
  };
  void set(int rank, const State& state) {
    State& known = states_[static_cast<std::size_t>(rank)];
    if (RankSet* set = set_of(known)) set->erase(rank);
    count(known, -1);
    known = state;
    count(known, 1);
    if (RankSet* set = set_of(known)) set->insert(rank);
  }

  /// Ranks that are idle or busy.
  int evaluators() const { return evaluators_; }
  int busy() const { return busy_; }
  const RankSet& idle() const { return idle_; }
  /// Ranks with so many grants, 1 to max_grants_in_hand - 1, that can take another.
  const RankSet& with_grants(std::size_t grants) const { return with_grants_[grants - 1]; }

 private:
  RankSet* set_of(const State& state) {
    if (!state.is_there) return nullptr;
    if (state.grants == 0) return &idle_;
    return state.is_isolated || state.grants >= max_grants_in_hand ? nullptr : &with_grants_[state.grants - 1];
  }
  void count(const State& state, int change) {
    if (!state.is_there) return;
    evaluators_ += change;
    if (state.grants > 0) busy_ += change;
  }

  std::vector<State> states_;
  RankSet idle_;
  std::vector<RankSet> with_grants_;
  int evaluators_ = 0;
  int busy_ = 0;
};

}  // namespace pimsweep::driver
