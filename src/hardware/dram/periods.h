#pragma once

#include <cstdint>
#include <vector>

#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

class Channel;

/// Skips whole periods of a channel under regular traffic: when it is in a state in which it was before, but for a
/// shift of rows, banks and time under which rules and traffic are the same, all repeats itself. Proof: docs/dram.md.
///
/// Two kinds of states are compared: those in which a period of the traffic begins, whose repetitions end before the
/// next refresh, and those in which a refresh is due, whose repetitions include refreshes.
class Periods {
 public:
  explicit Periods(const Regularity& fine) : fine_mask_(fine.period - 1) {}
  Periods() = default;

  /// Whether the channel, before a clock, is in a state of such a kind.
  bool may_recur(const Channel& channel, const TrafficSource& source) const;
  /// Compares such a state with earlier ones, and skips what repeats itself.
  void visit(Channel& channel, TrafficSource& source);

 private:
  using State = std::vector<std::int64_t>;

  /// What had been done up to some clock, or what a period does.
  struct Progress {
    std::int64_t requests = 0;
    std::int64_t clocks = 0;
    std::int64_t open_clocks = 0;
    Result counts;
  };
  /// Brent's method: one state is remembered, and replaced after 1, 2, 4, ... visits.
  struct Recurrence {
    State state;
    Progress progress;
    std::int64_t next_refresh = 0;
    std::int64_t patience = 1;
    std::int64_t visits_left = 1;
    bool remembers = false;
  };

  void describe(const Channel& channel, const TrafficSource& source, const Regularity& law, bool at_refresh);
  static bool in_segment(const Channel& channel, const Regularity& law);
  static Progress progress(const Channel& channel);
  bool recurs(Recurrence& recurrence, const Channel& channel) const;
  void visit_refresh(Channel& channel, TrafficSource& source);
  void visit_between(Channel& channel, TrafficSource& source);
  /// Repeats a period of the law that many times.
  static void repeat(Channel& channel, TrafficSource& source, const Regularity& law, const Progress& period,
                     std::int64_t times);
  static void move_banks(Channel& channel, const TrafficSource& source, std::int64_t visits);

  /// Requests between two looks at the state less 1; -1: none.
  std::int64_t fine_mask_ = -1;
  Recurrence between_;
  Recurrence refreshes_;
  /// The state and the period that were repeated last: to be expected again soon after a refresh.
  State steady_;
  Progress steady_period_;
  State state_;
};

}  // namespace pimsweep::hardware::dram
