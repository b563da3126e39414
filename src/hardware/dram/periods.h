#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "hardware/dram/channel.h"
#include "hardware/dram/channel_state.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// Skips whole periods of a channel under regular traffic. If the channel returns to an earlier state, except for a
/// shift of rows, banks and time under which rules and traffic are invariant, its behavior repeats, and the repetitions
/// are added to the result by arithmetic. Results are identical to those of a run without skipping. Proof:
/// docs/dram.md. Used by Channel::run():
///
///     if (periods.may_recur(channel, source)) periods.skip_repetitions(channel, source);
///
/// Two kinds of states are compared: states in which a period of one of the laws of the traffic begins, whose
/// repetitions end before the next refresh, and states in which a refresh is due, whose repetitions include refreshes.
/// An Orbit is a state with the Progress of one period; a Trajectory leads from a state to an orbit, or is part of a
/// period. Both are remembered, since traffic returns to them after each refresh.
///
/// Limits: traffic needs a Regularity (no random draws), Channel must not plan columns, and memory is bounded by
/// max_refreshes and max_trajectories.
class Periods {
 public:
  explicit Periods(const Regularities& laws);

  /// Number of the request before which to search next.
  std::int64_t next_index() const { return next_index_; }
  /// True if the channel may be in a state of one of these kinds before the next clock.
  bool may_recur(const Channel& channel, const TrafficSource& source) const {
    if (channel.index_ >= next_index_ && !channel.held_ && source.more()) return true;
    return channel.cycle_ + 1 == channel.next_refresh_ && next_index_ != no_index;
  }
  /// Compares the state with earlier ones, and skips repetitions.
  void skip_repetitions(Channel& channel, TrafficSource& source);

 private:
  using Numbers = std::vector<std::int64_t>;

  /// The state that determines the future, relative to the clock, the next request and its visit. Banks are in the
  /// order of visits, starting at that visit.
  struct State {
    Numbers all;              ///< all numbers except the following three vectors
    Numbers rows;             ///< visit of each bank's open row; -1 if closed
    Numbers row_commands;     ///< clocks until each bank's next row command is allowed
    Numbers settled;          ///< 1 if precharges of other banks are the only limit on closing the bank
    std::int64_t behind = 0;  ///< visits from the oldest waiting request to the next request
  };
  /// Numbers of a state that are cheap to compute. Only states with equal sketches are described in full.
  struct Sketch {
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    std::int64_t unserved = 0;
    std::int64_t ages = 0;  ///< requests since each waiting request, summed
    std::int64_t answer = 0;
    std::int64_t done = 0;
    bool write_mode = false;
    friend bool operator==(const Sketch&, const Sketch&) = default;
  };
  /// Work done up to some clock, or in a period.
  struct Progress {
    std::int64_t requests = 0;
    std::int64_t clocks = 0;
    std::int64_t open_clocks = 0;
    Result counts;
  };
  /// A state, and the work from there to an equivalent state.
  struct Orbit {
    Sketch sketch;
    std::int64_t pending = 0;  ///< Device::pending()
    State state;
    Progress period;
    std::int64_t next_refresh = 0;  ///< refresh that ends the interval in which it was found
    std::int64_t visits = 0;        ///< distance between the two states in visits
    std::int64_t touched = 0;       ///< visits whose banks receive a command, counted from that of the first state
    bool whole = false;             ///< the two states agree in the rows of all banks
    /// All domains always had an open bank, and banks were left open and settled at the rows of their visits.
    bool leaves_open = false;
  };
  struct Remembered {
    Sketch sketch;
    std::int64_t pending = 0;
    State state;
    Progress progress;
  };
  /// The work from a state to a later state, and the channel in that state.
  struct Trajectory {
    Remembered from;
    bool at_refresh = false;
    Progress done;
    std::int64_t waiting_reads = 0;  ///< reads waiting in the first state
    std::unique_ptr<const ChannelState> to;
    /// Clocks by which the last answer and the last accepted request are ahead of the channel in the later state.
    std::int64_t cycles = 0;
    std::int64_t cycles_last_accept = 0;
  };
  /// Brent's method: one state is remembered, and replaced after 1, 2, 4, ... comparisons.
  struct Recurrence {
    Remembered last;
    /// End of the interval in which states are compared.
    std::int64_t next_refresh = 0;
    std::int64_t segment = 0;
    std::int64_t patience = 1;
    std::int64_t comparisons_left = 1;
    bool remembers = false;

    void forget(std::int64_t comparisons);
  };
  /// A law, and the knowledge about periods that begin with one of its periods.
  struct Level {
    Regularity law;
    std::int64_t next = 0;  ///< number of the request before which to search again
    Recurrence recurrence;
    /// Likely to recur soon after a refresh; a new orbit replaces the older one.
    std::array<Orbit, 2> orbits;
    std::size_t newest = 0;
  };
  struct Repetition {
    const Orbit* orbit = nullptr;
    std::int64_t times = 0;
    /// The states agree in all banks, including untouched ones.
    bool whole = true;
  };

  static Sketch sketch(const Channel& channel);
  static std::int64_t pending(const Channel& channel);
  static std::int64_t waiting_reads(const Channel& channel);
  static std::int64_t oldest(const Channel& channel);
  static Progress progress(const Channel& channel);
  static bool same_banks(const State& one, const State& other);
  static Progress since(const Channel& channel, const Progress& before);
  void describe(const Channel& channel, const TrafficSource& source);
  /// Describes the channel in state_. `at_refresh`: the law of states at refreshes; `nullptr` between refreshes.
  void describe(const Channel& channel, const TrafficSource& source, const Regularity* at_refresh);
  void remember(Remembered& remembered, const Channel& channel) const;

  bool try_levels(Channel& channel, TrafficSource& source);
  void try_refresh(Channel& channel, TrafficSource& source);
  bool try_between(Level& level, Channel& channel, TrafficSource& source);
  /// The orbit that the channel is on, if it is known, and the number of times that it may be repeated.
  Repetition repetition(Level& level, const Channel& channel, const TrafficSource& source);
  Repetition on_orbit(const Orbit& orbit, std::int64_t banks) const;
  std::int64_t windows(const Orbit& orbit, std::int64_t banks) const;
  Orbit orbit(const Level& level, const Channel& channel, const TrafficSource& source) const;
  std::int64_t end(const Regularity& law, const Channel& channel, const TrafficSource& source) const;

  const Trajectory* longest_trajectory(const Regularity& law, bool at_refresh, const Channel& channel,
                                       const TrafficSource& source, bool& known) const;
  void begin_trajectory(const Regularity& law, bool at_refresh, const Channel& channel);
  void store_trajectory(const Channel& channel);
  bool take_part(const Regularity& law, const Orbit& orbit, Channel& channel, TrafficSource& source);
  void end_stage(Level& level, const Channel& channel);
  bool take_trajectory(const Regularity& law, bool at_refresh, Channel& channel, TrafficSource& source);
  bool fits(const Trajectory& trajectory, const Regularity& law, const Channel& channel,
            const TrafficSource& source) const;
  void follow(const Trajectory& trajectory, Channel& channel, TrafficSource& source);
  void end_trajectory(const Channel& channel);
  void resume_search_at(std::int64_t index);
  /// Lane of the bank of a visit.
  std::int32_t visit_lane(std::int64_t visit) const {
    return visit_lanes_[static_cast<std::size_t>(visit) & (visit_lanes_.size() - 1)];
  }

  void repeat(Channel& channel, TrafficSource& source, const Progress& period, std::int64_t visits,
              const Repetition& repetition) const;
  void move_banks(Channel& channel, const TrafficSource& source, std::int64_t requests, std::int64_t visits,
                  bool whole) const;
  void shift_requests(Channel& channel, const TrafficSource& source, std::int64_t requests) const;

  /// Requests before a state is remembered where the channel may soon be on a known orbit.
  static constexpr std::int64_t known_wait = 16;
  static constexpr std::size_t max_refreshes = 1024;
  static constexpr std::size_t max_trajectories = 128;
  /// Number of remembered parts of a period, and the minimum requests of a part for which following it saves time.
  static constexpr std::int64_t stages = 8;
  static constexpr std::int64_t min_stage = 8;
  static constexpr std::size_t max_trajectory_bytes = std::size_t{4} << 20;
  static constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

  Regularities laws_;
  /// Lanes of the banks, in the order of visits.
  std::vector<std::int32_t> visit_lanes_;
  /// Levels of the coarse and of the fine law.
  std::array<Level, 2> levels_;
  /// States of the latest refreshes. Recurrence may take hundreds of refreshes, one for each column.
  std::vector<Remembered> refreshes_;
  std::size_t seen_refreshes_ = 0;
  /// Ring buffer of trajectories.
  std::vector<Trajectory> trajectories_;
  std::size_t seen_trajectories_ = 0;
  /// The trajectory being recorded: its first state, and the law that its requests must follow.
  Trajectory begun_;
  const Regularity* begun_law_ = nullptr;
  /// For a trajectory that is part of a period: number of the request before which its next stage ends, and requests
  /// per stage.
  std::int64_t next_stage_ = no_index;
  std::int64_t stage_ = 0;
  /// End of the latest trajectory that was followed: the times at which banks were opened before it are unknown.
  std::int64_t followed_until_ = 0;
  /// Number of the request before which to search next; no_index: never.
  std::int64_t next_index_ = no_index;
  State state_;
  /// Clock of state_, and how many of its numbers are independent of a law.
  std::int64_t described_cycle_ = -1;
  std::size_t described_ = 0;
};

}  // namespace pimsweep::hardware::dram
