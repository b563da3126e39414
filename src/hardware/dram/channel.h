#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "hardware/dram/channel_state.h"
#include "hardware/dram/column_plan.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/device.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/lanes.h"
#include "hardware/dram/request.h"
#include "hardware/dram/request_queue.h"
#include "hardware/dram/result.h"
#include "hardware/dram/rules.h"
#include "hardware/dram/trace.h"

namespace pimsweep::hardware::dram {

class Periods;

/// One DRAM channel with its controller, simulated command by command. Used by dram::simulate() (simulation.h), the
/// entry point for all other code:
///
///     Channel channel(dram, options, plans_columns);
///     Periods periods(laws);          // Periods({}) skips nothing
///     channel.run(source, periods);   // source: more(), next()
///     const Result result = channel.result();
///
/// A clock is a cycle of the command bus. After each command, one pass over all banks (schedule()) determines the next
/// command on each bus and its clock; an arriving request is only compared with these. Clocks without a command or an
/// arrival are skipped. The state that determines the future is in ChannelState, so that it can be stored and compared;
/// Periods uses this to skip repetitions.
///
/// Limits: at most max_banks banks, and results of a run only at its end. All arithmetic is on integers. Defined in a
/// header so that simulation.cpp can compile it for several instruction sets. Functions of the loop are compiled twice:
/// choices that a `plain` channel never has to make take 15 % of the time.
class Channel : private ChannelState {
 public:
  /// `plans_columns`: plan column commands when rows are opened, where the rules allow it; false where periods are
  /// skipped, because Periods does not describe plans.
  /// `log`: records each access, unless it is null.
  Channel(const Dram& dram, const ControllerOptions& options, bool plans_columns, TraceLog* log = nullptr);

  /// True if Rules::plain(), the controller is one of Ramulator's, and there is no log.
  bool plain() const { return plain_; }

  /// Offers one request of `source` (`more()`, `next()`) per clock until all are served. `periods` skips repetitions of
  /// regular sources.
  template <bool plain, typename Source, typename PeriodSkipper>
  void run(Source& source, PeriodSkipper& periods) {
    while (unserved_ > 0 || source.more() || cycle_ < result_.cycles) {
      if constexpr (requires { source.regularities(); }) {
        if (periods.may_recur(*this, source)) periods.skip_repetitions(*this, source);
      }
      const std::int64_t clock = cycle_ + 1;
      if (offers(source) && is_due(source)) offer<plain>(source, periods.next_index());
      if (clock == next_refresh_) refresh_due<plain>(clock);
      if (clock >= wake_) tick<plain>(clock);
      cycle_ = offers(source) ? next_offer(source, clock) : std::min(wake_, next_refresh_) - 1;
    }
  }

  Result result() const;

 private:
  friend class Periods;

  static constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  static constexpr std::uint64_t bit(std::int32_t lane) { return std::uint64_t{1} << lane; }

  RequestQueue& queue(bool write) { return queues_[write ? 1 : 0]; }

  template <typename Source>
  bool offers(const Source& source) const {
    return !refused_ && (held_ || source.more());
  }

  /// First cycle in which the next request is offered, of a source that has given cycles.
  template <typename Source>
  std::int64_t due(const Source& source) const {
    return held_ ? due_ : source.due();
  }
  template <typename Source>
  bool is_due(const Source& source) const {
    if constexpr (requires { source.due(); }) return due(source) <= cycle_;
    return true;
  }
  /// The next cycle, `clock` or later, in which a request can be offered or a command issued.
  template <typename Source>
  std::int64_t next_offer(const Source& source, std::int64_t clock) const {
    if constexpr (requires { source.due(); }) {
      return std::max(clock, std::min(due(source), std::min(wake_, next_refresh_) - 1));
    }
    return clock;
  }

  template <typename Source>
  void take(Source& source) {
    if constexpr (requires { source.due(); }) due_ = source.due();
    request_ = source.next();
    lane_ = device_.lane(request_.bank);
    held_ = true;
    ++unserved_;
  }

  bool in_write_queue() const {
    const RequestQueue& writes = queues_[1];
    return !writes.empty() &&
           writes.holds(lane_, static_cast<std::int32_t>(request_.row), static_cast<std::int32_t>(request_.column));
  }

  /// Offers the next request, and takes the one after it in advance if its number is below `end_of_lookahead`.
  template <bool plain, typename Source>
  void offer(Source& source, std::int64_t end_of_lookahead) {
    if (!held_) take(source);
    if (in_write_queue()) {
      --unserved_;
      if (request_.write) {
        ++result_.writes_coalesced;
      } else {
        ++result_.reads_forwarded;
        issue_planned<plain>(cycle_);
        answer(cycle_ + 1);
      }
    } else if (queue(request_.write).full()) {
      refused_ = true;
      return;
    } else {
      accept<plain>();
    }
    held_ = false;
    ++index_;
    result_.cycles_last_accept = cycle_;
    if (!source.more() || index_ >= end_of_lookahead) return;
    // Unless a command frees a slot, the request after this one is refused in the next clock.
    take(source);
    refused_ = queue(request_.write).full() && !in_write_queue();
  }

  /// Subtracts the arrival of a read; the clock of the answer is added later. Arrivals of waiting requests need not be
  /// stored.
  template <bool plain>
  void count_arrival() {
    result_.read_latency -= cycle_;
    if (!plain && log_ != nullptr) [[unlikely]]
      log_->begin_read(index_, due_ >= 0 ? due_ : cycle_);
  }

  /// Puts the request into its queue and compares it with the next commands.
  template <bool plain>
  void accept() {
    RequestQueue& waiting = queue(request_.write);
    const auto row = static_cast<std::int32_t>(request_.row);
    const std::int32_t open_row = device_.row(lane_);
    now_ = static_cast<Clock>(cycle_ + 1 - base_);
    if (number_ == max_number) renumber();
    const std::int32_t key = with_lane(not_active | number_++ << number_shift, lane_);
    if (!request_.write) count_arrival<plain>();
    numbers_ += index_;
    waiting.push({.index = index_, .row = row, .column = static_cast<std::int32_t>(request_.column), .key = key},
                 open_row);
    update_mode();
    const bool hits = open_row == row;
    if (hits && planned_columns_.begun()) drop_plan();
    if (!plain && hits_keep_rows_ && hits) keep_row_open();
    // A request behind an older one for a row command, or behind an active one, changes nothing.
    const bool wants_row = !hits && row_key<plain>(waiting, lane_) == (key | row_command);
    if (wants_row) row_keys_[request_.write].set(lane_, key | row_command);
    if (pending_refreshes_ > 0) return;
    if (must_switch_) {
      wake_ = cycle_ + 1;
    } else if (request_.write == write_mode_ && (hits || wants_row)) {
      const Clock from =
          hits ? device_.column_from<plain>(lane_, write_mode_, now_) : device_.row_from<plain>(lane_, now_);
      std::int32_t& next = wants_row && rules_.two_buses ? next_row_ : next_;
      next = std::min(next, packed(from - planned_, wants_row ? key | row_command : key));
      wake_ = std::min(wake_, base_ + from);
    }
  }

  /// Answers a read whose data arrive at `clock`; returns the clock of the answer. Answers leave in order, one per
  /// clock.
  std::int64_t answer(std::int64_t clock) {
    last_answer_ = std::max(clock, last_answer_ + 1);
    result_.cycles = std::max(result_.cycles, last_answer_);
    return last_answer_;
  }

  /// Call after a change of queues or of the mode.
  void update_mode() {
    const bool writes = queues_[0].empty() || queues_[1].size() > max_writes_[write_mode_ ? 1 : 0];
    must_switch_ = writes != write_mode_;
  }

  template <bool plain>
  void refresh_due(std::int64_t clock) {
    if (!plain && per_bank_) {
      bank_refresh_due();
    } else {
      pending_refreshes_ += domains_;
      next_refresh_ += rules_.refresh_interval;
    }
    wake_ = clock;
    reschedule<plain>(static_cast<Clock>(clock - base_));
  }

  template <bool plain>
  void tick(std::int64_t clock) {
    if (clock - base_ > max_clock) rebase(clock);
    now_ = static_cast<Clock>(clock - base_);
    if (now_ - planned_ >= max_wait) reschedule<plain>(now_);
    const bool column = planned_columns_.next_clock() <= clock && issue_planned<plain>(clock) == clock;
    if (rules_.two_buses) {
      issue_on_two_buses<plain>();
    } else if (!column) {
      issue_on_one_bus<plain>();
    }
    plan<plain>();
  }

  bool ready(std::int32_t next) const { return wait_of(next) == now_ - planned_ && next != no_key; }
  bool active_ready() const { return ready(next_) && (next_ & not_active) == 0; }
  /// Switches to the other queue if necessary, unless an active request comes first or a refresh is pending.
  template <bool plain>
  void switch_mode() {
    if (!must_switch_ || pending_refreshes_ > 0) return;
    write_mode_ = !write_mode_;
    update_mode();
    reschedule<plain>(now_);
  }

  template <bool plain>
  void issue_on_one_bus() {
    if (!active_ready()) {
      if (pending_refreshes_ > 0) return issue_refresh();
      if (!plain && refreshed_ != 0 && issue_bank_refresh()) return;
      if (must_switch_) switch_mode<plain>();
    }
    if (!ready(next_)) return;
    if ((next_ & row_command) == 0) {
      issue_column<plain>(key_of(next_));
    } else {
      issue_row<plain>(key_of(next_));
    }
  }

  template <bool plain>
  void issue_on_two_buses() {
    if (!active_ready()) switch_mode<plain>();
    if (ready(next_)) {
      const std::int32_t lane = lane_of(next_);
      issue_column<plain>(key_of(next_));
      // The next row command of the bank may have become later, or allowed.
      if (lane_of(next_row_) == lane || device_.row_from<plain>(lane, now_) <= now_) schedule<plain>(now_);
    }
    if (pending_refreshes_ > 0) return issue_refresh();
    if (!plain && refreshed_ != 0 && issue_bank_refresh()) return;
    switch_mode<plain>();
    if (ready(next_row_)) issue_row<plain>(key_of(next_row_));
  }

  /// Sets the next clock at which a command can be issued, after the commands of this clock.
  template <bool plain>
  void plan() {
    const Clock next = now_ + 1;
    schedule<plain>(next);
    if (must_switch_ && pending_refreshes_ == 0) {
      wake_ = base_ + next;
      return;
    }
    const std::int32_t first = std::min(next_, next_row_);
    wake_ = base_ + next + wait_of(first);
    if (first == no_key) wake_ = planned_columns_.empty() ? never : planned_columns_.last().clock;
    // Closing a row does not extend the run.
    if (!plain && closes_rows_ && !planned_columns_.empty()) wake_ = std::min(wake_, planned_columns_.last().clock);
    const bool refreshes_banks = !plain && refreshed_ != 0;
    if (pending_refreshes_ > 0 || refreshes_banks) [[unlikely]] {
      const Clock refresh = refreshes_banks ? bank_refresh_from(next) : refresh_from(next);
      if (refresh != no_time) wake_ = std::min(wake_, base_ + refresh);
    }
  }

  /// Finds the next command on each bus, from `now` on.
  template <bool plain>
  [[gnu::always_inline]] void schedule(Clock now) {
    if (!plain && rules_.odd != 0) [[unlikely]] {
      schedule_odd(now);
    } else {
      find_next<plain, false>(now);
    }
  }
  /// schedule() where commands begin in odd clocks; not compiled for several instruction sets.
  [[gnu::noinline]] void schedule_odd(Clock now);

  template <bool plain, bool odd>
  [[gnu::always_inline]] void find_next(Clock now) {
    planned_ = now;
    const std::size_t mode = write_mode_ ? 1 : 0;
    Block column = Block{} + no_key;
    Block row = column;
    if (pending_refreshes_ == 0) {
      const Clock column_bus = plain ? now : std::max(now, device_.column_bus());
      const Clock row_bus = std::max(now, device_.row_bus());
      for (std::int32_t number = 0; number < device_.blocks(); ++number) {
        Block keys;
        Block active;
        Block times;
        queues_[mode].hit_keys().load(keys, number);
        active_keys_[mode].load(active, number);
        lower(keys, active);
        device_.columns(write_mode_).load(times, number);
        if constexpr (odd) align(times, column_bus, Block{} + 1);
        pack(times, now, column_bus, keys);
        lower(column, times);
        row_keys_[mode].load(keys, number);
        device_.row_commands().load(times, number);
        if constexpr (!plain) {
          Block second_act;
          device_.load_second_act(second_act, number);
          raise(times, second_act);
        }
        if constexpr (odd) {
          Block odd_acts;
          device_.load_odd_acts(odd_acts, number);
          align(times, row_bus, odd_acts);
        }
        pack(times, now, row_bus, keys);
        lower(row, times);
      }
    } else {
      // Only active requests proceed.
      schedule_active<plain, odd>(column, write_mode_);
    }
    if (active_banks_[1 - mode] != 0) schedule_active<plain, odd>(column, !write_mode_);
    if (rules_.two_buses) {
      const auto [next, next_row] = smallest(column, row);
      next_ = next;
      next_row_ = next_row;
    } else {
      lower(column, row);
      next_ = smallest(column);
    }
  }

  /// Lowers `next` to the next commands of active reads or writes.
  template <bool plain, bool odd>
  [[gnu::always_inline]] void schedule_active(Block& next, bool write) const {
    const Clock column_bus = plain ? planned_ : std::max(planned_, device_.column_bus());
    for (std::int32_t number = 0; number < device_.blocks(); ++number) {
      Block keys;
      Block times;
      active_keys_[write].load(keys, number);
      device_.columns(write).load(times, number);
      if constexpr (odd) align(times, column_bus, Block{} + 1);
      pack(times, planned_, column_bus, keys);
      lower(next, times);
    }
  }

  static constexpr Clock no_time = std::numeric_limits<Clock>::max();
  /// The first clock from `now` on at which a pending refresh can proceed; no_time while active requests keep its banks
  /// open.
  [[gnu::noinline]] Clock refresh_from(Clock now) const;
  [[gnu::noinline]] void issue_refresh();

  /// The first clock from `now` on for the next command of a pending refresh of banks; no_time while active requests
  /// keep them open.
  [[gnu::noinline]] Clock bank_refresh_from(Clock now) const;
  /// Issues that command, if it is allowed; returns whether it was.
  [[gnu::noinline]] bool issue_bank_refresh();
  [[gnu::noinline]] void bank_refresh_due();
  /// The banks of the next pending refresh take no further requests.
  void begin_bank_refresh();

  /// Banks with an active request, as a bit set.
  std::uint64_t active_banks() const { return active_banks_[0] | active_banks_[1]; }

  /// Key of the request of a bank that needs an ACT or a PRE, if the command is possible.
  template <bool plain>
  std::int32_t row_key(const RequestQueue& waiting, std::int32_t lane) const {
    if (!plain && (refreshed_ & bit(lane)) != 0) return no_key;
    if (!device_.open(lane)) return waiting.key(waiting.oldest(lane)) | row_command;
    if ((active_banks() & bit(lane)) != 0) return no_key;
    const std::int32_t conflict = waiting.key(waiting.conflict(lane));
    if (!plain && closes_rows_ && conflict == no_key) return unused_row_key(lane);
    // No request of higher priority, or none at all, may be waiting for the open row.
    const bool wanted = row_hit_first_ && waiting.hit_keys()[lane] < (!plain && all_hits_first_ ? no_key : conflict);
    return wanted ? no_key : conflict | row_command;
  }
  /// Key that closes a row for which no request waits.
  std::int32_t unused_row_key(std::int32_t lane) const {
    const bool used = std::min(queues_[0].hit_keys()[lane], queues_[1].hit_keys()[lane]) != no_key;
    return used ? no_key : with_lane(close_row, lane);
  }
  template <bool plain>
  void update_row_keys(std::int32_t lane) {
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      if ((!plain && closes_rows_) || !queues_[q].empty()) row_keys_[q].set(lane, row_key<plain>(queues_[q], lane));
    }
  }
  /// Call when a request for the open row of its bank arrives.
  [[gnu::noinline]] void keep_row_open();

  /// Issues the RD or WR of the request with this key.
  template <bool plain>
  void issue_column(std::int32_t key) {
    const std::int32_t lane = lane_of(key);
    bool write = write_mode_;
    std::int64_t index = 0;
    if ((key & not_active) == 0) {
      index = active_[at(lane)];
      write = (active_banks_[1] & bit(lane)) != 0;
      active_banks_[write] &= ~bit(lane);
      active_keys_[write].set(lane, no_key);
    } else {
      RequestQueue& waiting = queue(write);
      const std::int32_t i = waiting.hit(lane);
      result_.row_hits += waiting[i].counted ? 0 : 1;
      index = waiting[i].index;
      waiting.pop(i, device_.row(lane));
      update_mode();
      refused_ = false;
      if (!plain && hit_cap_ > 0 && waiting.key(waiting.conflict(lane)) < key) [[unlikely]]
        count_overtaking(lane);
    }
    numbers_ -= index;
    // The bank may now be closed for other requests.
    update_row_keys<plain>(lane);
    device_.column(lane, write, now_);
    if (!plain) device_.column_beyond(lane, write, now_);
    device_.delay_pre(lane, write, now_);
    count_column<plain>(write, index, base_ + now_);
  }

  template <bool plain>
  void count_column(bool write, std::int64_t index, std::int64_t clock) {
    --unserved_;
    if (write) {
      ++result_.commands.wr;
      result_.cycles = std::max(result_.cycles, clock);
      if (!plain && log_ != nullptr) [[unlikely]]
        log_->write(clock);
    } else {
      ++result_.commands.rd;
      const std::int64_t answered = answer(clock + rules_.read);
      result_.read_latency += answered;
      if (!plain && log_ != nullptr) [[unlikely]]
        log_->end_read(index, answered);
    }
  }

  /// Issues the ACT or PRE of the request with this key.
  template <bool plain>
  void issue_row(std::int32_t key) {
    const std::int32_t lane = lane_of(key);
    RequestQueue& waiting = queue(write_mode_);
    if (device_.open(lane)) {
      RequestQueue::Entry& entry = waiting[waiting.conflict(lane)];
      result_.row_conflicts += entry.counted ? 0 : 1;
      entry.counted = true;
      device_.pre(lane, now_);
      if (!plain) device_.delay_second_act(now_);
      row_closed<plain>(lane);
      ++result_.commands.pre;
      return;
    }
    const std::int32_t i = waiting.oldest(lane);
    const RequestQueue::Entry& entry = waiting[i];
    result_.row_misses += entry.counted ? 0 : 1;
    const std::int32_t row = entry.row;
    const std::int64_t index = entry.index;
    waiting.pop(i, Device::closed);
    update_mode();
    refused_ = false;
    ++result_.commands.act;
    overtakings_[at(lane)] = 0;
    for (RequestQueue& each : queues_) {
      if (!each.empty()) each.row_opened(lane, row);
    }
    const std::int32_t active_key = key & ~(not_active | row_command);
    const Clock column = device_.column_after_act(write_mode_, now_);
    if (can_plan<plain>(lane, column)) {
      planned_columns_.push({base_ + column, index, active_key, write_mode_});
      device_.act(lane, row, now_, device_.pre_from(write_mode_, column));
      device_.delay_preab(lane, write_mode_, column);
      row_keys_[write_mode_].set(lane, row_key<plain>(waiting, lane));
      if ((!plain && closes_rows_) || !queue(!write_mode_).empty())
        row_keys_[!write_mode_].set(lane, row_key<plain>(queue(!write_mode_), lane));
    } else {
      if (planned_columns_.begun()) drop_plan();
      activate(lane, write_mode_, index, active_key);
      device_.act(lane, row, now_, now_);
    }
    if (!plain) device_.occupy_column_bus(now_);
  }

  /// A request whose row has been opened for it precedes all others.
  void activate(std::int32_t lane, bool write, std::int64_t index, std::int32_t key) {
    active_[at(lane)] = index;
    active_banks_[write] |= bit(lane);
    active_keys_[write].set(lane, key);
    for (Lanes& keys : row_keys_) keys.set(lane, no_key);
  }

  /// True if the column command of a bank whose row is being opened is certain to be issued at `column`, unless
  /// requests for open rows arrive.
  template <bool plain>
  bool can_plan(std::int32_t lane, Clock column) const {
    const bool alone = !queues_[0].has_hits() && !queues_[1].has_hits() && active_banks() == 0 &&
                       (!planned_columns_.begun() || planned_columns_.last().write == write_mode_);
    return plans_ && alone && device_.column_from<plain>(lane, write_mode_, now_) <= column;
  }

  /// Issues the planned column commands up to a clock; returns the clock of the last one.
  template <bool plain>
  std::int64_t issue_planned(std::int64_t until) {
    std::int64_t clock = long_ago;
    while (planned_columns_.next_clock() <= until) {
      const ColumnPlan::Command& command = planned_columns_.pop();
      clock = command.clock;
      numbers_ -= command.index;
      count_column<plain>(command.write, command.index, clock);
    }
    return clock;
  }

  template <bool plain>
  void row_closed(std::int32_t lane) {
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      if ((plain || !closes_rows_) && queues_[q].empty()) continue;
      queues_[q].row_closed(lane);
      row_keys_[q].set(lane, queues_[q].key(queues_[q].oldest(lane)) | row_command);
    }
  }

  /// schedule() for rare cases; not compiled for several instruction sets.
  template <bool plain>
  [[gnu::noinline]] void reschedule(Clock now);
  /// Requests with a planned column command that has not been issued become active ones without a plan.
  [[gnu::noinline]] void drop_plan();
  [[gnu::noinline]] void renumber();
  /// A hit of the open row preceded an older request for another row. At the limit no further request hits this row.
  [[gnu::noinline]] void count_overtaking(std::int32_t lane);
  [[gnu::noinline]] void rebase(std::int64_t clock);

  /// Clocks after which the base is moved forward.
  static constexpr std::int64_t max_clock = 1 << 27;

  const Rules rules_;
  const std::int32_t domains_;
  const bool row_hit_first_;
  const bool all_hits_first_;
  const bool closes_rows_;
  /// Hits that arrive keep their row from being closed.
  const bool hits_keep_rows_;
  const std::int64_t hit_cap_;
  const bool per_bank_;
  const bool plain_;
  /// Groups of which a REFpb refreshes a bank, and number of REFpb after which all banks are refreshed.
  const std::int32_t refreshed_groups_;
  const std::int32_t bank_refreshes_;
  /// Column commands are planned when rows are opened. Periods does not support plans.
  const bool plans_;
  /// Maximum number of writes that wait while reads are served, and maximum for which a read is served among writes
  /// (docs/dram.md).
  const std::array<std::int64_t, 2> max_writes_;

  /// Commands of active requests that are planned; the state does not list these requests as active.
  ColumnPlan planned_columns_;
  TraceLog* const log_;
  /// First cycle in which the held request is offered.
  std::int64_t due_ = -1;
  /// Hits of each bank's open row that preceded an older request for another row.
  std::array<std::int64_t, max_lanes> overtakings_{};
  std::vector<std::int32_t*> renumbered_;
  Result result_;
  /// Clocks with an open bank during skipped periods.
  std::int64_t skipped_open_clocks_ = 0;
};

}  // namespace pimsweep::hardware::dram
