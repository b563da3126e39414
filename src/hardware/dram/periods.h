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

/// Skips whole periods of a channel under regular traffic: when it is in a state in which it was before, but for a
/// shift of rows, banks and time under which rules and traffic are the same, all repeats itself. Proof: docs/dram.md.
///
/// Two kinds of states are compared: those in which a period of one of the traffic's laws begins, whose repetitions end
/// before the next refresh, and those in which a refresh is due, whose repetitions include refreshes.
class Periods {
 public:
  explicit Periods(const Regularities& laws);

  /// The number of the request before which to look next.
  std::int64_t next_index() const { return next_index_; }
  /// Whether the channel, before a clock, may be in a state of such a kind.
  bool may_recur(const Channel& channel, const TrafficSource& source) const {
    if (channel.index_ >= next_index_ && !channel.held_ && source.more()) return true;
    return channel.cycle_ + 1 == channel.next_refresh_ && next_index_ != no_index;
  }
  /// Compares such a state with earlier ones, and skips what repeats itself.
  void look(Channel& channel, TrafficSource& source);

 private:
  using Numbers = std::vector<std::int64_t>;

  /// What the future depends on, relative to the clock, the next request and its visit; banks are in the order of
  /// visits from that one on.
  struct State {
    Numbers all;              ///< but for the next two
    Numbers rows;             ///< visit that each bank's open row belongs to, -1 where it is closed
    Numbers row_commands;     ///< clocks until each bank's next row command is allowed
    Numbers settled;          ///< whether each bank, if open, waits for other banks' precharges at most
    std::int64_t behind = 0;  ///< visits from the oldest request that waits to the next one
  };
  /// Numbers of a state that are soon found: states with different ones are not described.
  struct Sketch {
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    std::int64_t unserved = 0;
    std::int64_t ages = 0;  ///< requests since those that wait, summed up
    std::int64_t answer = 0;
    std::int64_t done = 0;
    bool write_mode = false;
    friend bool operator==(const Sketch&, const Sketch&) = default;
  };
  /// What had been done up to some clock, or what a period does.
  struct Progress {
    std::int64_t requests = 0;
    std::int64_t clocks = 0;
    std::int64_t open_clocks = 0;
    Result counts;
  };
  /// A state, and what is done from there to one that equals it.
  struct Orbit {
    Sketch sketch;
    std::int64_t pending = 0;  ///< Device::pending()
    State state;
    Progress period;
    std::int64_t next_refresh = 0;  ///< of the interval in which it was found
    std::int64_t visits = 0;        ///< that the two states are apart
    std::int64_t touched = 0;       ///< visits whose banks get a command, counted from the first state's
    bool whole = false;             ///< whether the two are equal in the rows of all banks
    /// All domains always had an open bank, and banks were left open and settled at the rows of their visits.
    bool leaves_open = false;
  };
  struct Remembered {
    Sketch sketch;
    std::int64_t pending = 0;
    State state;
    Progress progress;
  };
  /// What is done from a state to the next one on an orbit, and the channel as it is there.
  struct Passage {
    Remembered from;
    bool at_refresh = false;
    Progress done;
    std::int64_t waiting_reads = 0;  ///< at the beginning
    std::unique_ptr<const ChannelState> to;
    /// Clocks by which the last answer and the last accepted request are ahead of the channel there.
    std::int64_t cycles = 0;
    std::int64_t cycles_last_accept = 0;
  };
  /// Brent's method: one state is remembered, and replaced after 1, 2, 4, ... looks.
  struct Recurrence {
    Remembered last;
    /// Of the interval in which states are looked for.
    std::int64_t next_refresh = 0;
    std::int64_t segment = 0;
    std::int64_t patience = 1;
    std::int64_t looks_left = 1;
    bool remembers = false;

    void forget(std::int64_t looks);
  };
  /// A law, and what is known of the periods that begin with one of its own.
  struct Level {
    Regularity law;
    std::int64_t next = 0;  ///< number of the request before which to look again
    Recurrence recurrence;
    /// To be expected again soon after a refresh; the older is replaced.
    std::array<Orbit, 2> orbits;
    std::size_t newest = 0;
  };
  struct Repetition {
    const Orbit* orbit = nullptr;
    std::int64_t times = 0;
    /// Whether states are equal in banks that are not touched, too.
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
  /// Describes the channel in state_. `at_refresh`: the law of states at refreshes; `nullptr`: a state between them.
  void describe(const Channel& channel, const TrafficSource& source, const Regularity* at_refresh);
  void remember(Remembered& remembered, const Channel& channel) const;

  bool look_at_levels(Channel& channel, TrafficSource& source);
  void look_at_refresh(Channel& channel, TrafficSource& source);
  bool look_between(Level& level, Channel& channel, TrafficSource& source);
  /// The orbit that the channel is on, if it is known or known by now, and how often it may be repeated.
  Repetition repetition(Level& level, const Channel& channel, const TrafficSource& source);
  Repetition on_orbit(const Orbit& orbit, std::int64_t banks) const;
  std::int64_t windows(const Orbit& orbit, std::int64_t banks) const;
  Orbit orbit(const Level& level, const Channel& channel, const TrafficSource& source) const;
  std::int64_t end(const Regularity& law, const Channel& channel, const TrafficSource& source) const;

  const Passage* longest_passage(const Regularity& law, bool at_refresh, const Channel& channel,
                                 const TrafficSource& source, bool& known) const;
  void begin_passage(const Regularity& law, bool at_refresh, const Channel& channel);
  void store_passage(const Channel& channel);
  bool take_part(const Regularity& law, const Orbit& orbit, Channel& channel, TrafficSource& source);
  void end_stage(Level& level, const Channel& channel);
  bool take_passage(const Regularity& law, bool at_refresh, Channel& channel, TrafficSource& source);
  bool fits(const Passage& passage, const Regularity& law, const Channel& channel, const TrafficSource& source) const;
  void follow(const Passage& passage, Channel& channel, TrafficSource& source);
  void end_passage(const Channel& channel);
  void look_again_from(std::int64_t index);
  /// Lane of the bank of a visit.
  std::int32_t visit_lane(std::int64_t visit) const {
    return visit_lanes_[static_cast<std::size_t>(visit) & (visit_lanes_.size() - 1)];
  }

  void repeat(Channel& channel, TrafficSource& source, const Progress& period, std::int64_t visits,
              const Repetition& repetition) const;
  void move_banks(Channel& channel, const TrafficSource& source, std::int64_t requests, std::int64_t visits,
                  bool whole) const;
  void shift_requests(Channel& channel, const TrafficSource& source, std::int64_t requests) const;

  /// Requests before a state is remembered where an orbit is known that the channel may be on soon.
  static constexpr std::int64_t known_wait = 16;
  static constexpr std::size_t max_refreshes = 1024;
  static constexpr std::size_t max_passages = 128;
  /// Parts of a period that are remembered, and requests of one below which to serve them takes less time.
  static constexpr std::int64_t stages = 8;
  static constexpr std::int64_t min_stage = 8;
  static constexpr std::size_t max_passage_bytes = std::size_t{4} << 20;
  static constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

  Regularities laws_;
  /// Lanes of the banks, in the order of visits.
  std::vector<std::int32_t> visit_lanes_;
  /// The coarse law's level and the fine one's.
  std::array<Level, 2> levels_;
  /// States of the latest refreshes; they may recur after some hundreds only, one for each column.
  std::vector<Remembered> refreshes_;
  std::size_t seen_refreshes_ = 0;
  /// Those of traffic with a fine law; the latest replace the oldest.
  std::vector<Passage> passages_;
  std::size_t seen_passages_ = 0;
  /// The one that the channel is on: where it began, and the law that its requests keep to.
  Passage begun_;
  const Regularity* begun_law_ = nullptr;
  /// Of a passage that is part of a period: the number of the request before which its next stage ends, and the
  /// requests of a stage.
  std::int64_t next_stage_ = no_index;
  std::int64_t stage_ = 0;
  /// When the last passage that was followed ended: when banks were opened is not known of clocks before.
  std::int64_t followed_until_ = 0;
  /// The number of the request before which to look next; no_index: never.
  std::int64_t next_index_ = no_index;
  State state_;
  /// The cycle of state_, and how many of its numbers do not depend on a law.
  std::int64_t described_cycle_ = -1;
  std::size_t described_ = 0;
};

}  // namespace pimsweep::hardware::dram
