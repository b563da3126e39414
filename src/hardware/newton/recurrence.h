#pragma once

#include <cstdint>
#include <optional>

#include "base/checked.h"

namespace pimsweep::hardware::newton {

/// Progress of a channel in an earlier state.
struct Milestone {
  std::int64_t rounds = 0;
  std::int64_t clock = 0;
  std::int64_t prea = 0;
  std::int64_t ref = 0;
};

/// Clocks of `times` repetitions of `period` clocks. Throws OverflowError beyond 2^61, so that the remaining commands
/// cannot wrap.
inline std::int64_t repeated_clocks(std::int64_t times, std::int64_t period) {
  constexpr std::int64_t headroom = 4;
  return Count{times} * period * headroom / headroom;
}

/// Detects the return of a channel to an earlier state, from which on it repeats itself. Brent's method: one state is
/// remembered, and replaced after 1, 2, 4, ... visits.
template <typename State>
class Recurrence {
 public:
  /// The earlier milestone at which the channel was in `state`, if that state is the remembered one.
  std::optional<Milestone> visit(const State& state, const Milestone& now) {
    if (remembered_ && state == state_) return milestone_;
    if (--visits_left_ > 0) return std::nullopt;
    remembered_ = true;
    state_ = state;
    milestone_ = now;
    patience_ *= 2;
    visits_left_ = patience_;
    return std::nullopt;
  }

 private:
  bool remembered_ = false;
  State state_{};
  Milestone milestone_;
  std::int64_t patience_ = 1;
  std::int64_t visits_left_ = 1;
};

}  // namespace pimsweep::hardware::newton
