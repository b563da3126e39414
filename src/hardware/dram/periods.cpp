#include "hardware/dram/periods.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

namespace pimsweep::hardware::dram {

namespace {

/// Remainder, never negative; `by` is a power of two.
std::int64_t modulo(std::int64_t number, std::int64_t by) { return number & (by - 1); }

/// Shifts an entry of a queue by a number of requests.
auto moved(const TrafficSource& source, std::int64_t requests) {
  return [&source, requests](RequestQueue::Entry& entry) {
    entry.index += requests;
    const Request there = source.at(entry.index);
    entry.row = static_cast<std::int32_t>(there.row);
    entry.column = static_cast<std::int32_t>(there.column);
  };
}

}  // namespace

Periods::Periods(const Regularities& laws) : laws_(laws) {
  levels_[0].law = laws.coarse;
  levels_[1].law = laws.fine;
  if (laws.coarse.period != 0) next_index_ = 0;
}

void Periods::Recurrence::forget(std::int64_t comparisons) {
  remembers = false;
  patience = comparisons;
  comparisons_left = comparisons;
}

void Periods::skip_repetitions(Channel& channel, TrafficSource& source) {
  if (channel.pending_refreshes_ > 0) return;
  if (visit_lanes_.empty()) {
    for (std::int64_t k = 0; k < source.banks(); ++k) {
      visit_lanes_.push_back(channel.device_.lane(source.visit_bank(k)));
    }
  }
  // Skipping may end at a refresh.
  for (bool between = true; between;) {
    if (channel.cycle_ + 1 == channel.next_refresh_) {
      begun_law_ = nullptr;
      try_refresh(channel, source);
      resume_search_at(channel.index_ + 1);
      if (laws_.fine.period == 0 || !take_trajectory(laws_.fine, true, channel, source)) break;
    }
    while (try_levels(channel, source)) {
    }
    between = channel.cycle_ + 1 == channel.next_refresh_;
  }
  next_index_ = no_index;
  for (const Level& level : levels_) {
    if (level.law.period != 0) next_index_ = std::min(next_index_, level.next);
  }
}

/// Skips repetitions by one of the laws; true if any were skipped.
bool Periods::try_levels(Channel& channel, TrafficSource& source) {
  for (Level& level : levels_) {
    if (level.law.period == 0 || level.next > channel.index_) continue;
    if (level.law.begins(channel.index_) && try_between(level, channel, source)) return true;
    if (level.next <= channel.index_) level.next = level.law.next_begin(channel.index_);
  }
  return false;
}

Periods::Sketch Periods::sketch(const Channel& channel) {
  return {channel.queues_[0].size(),
          channel.queues_[1].size(),
          channel.unserved_,
          (channel.unserved_ - (channel.held_ ? 1 : 0)) * channel.index_ - channel.numbers_,
          std::max(channel.last_answer_ - channel.cycle_, std::int64_t{0}),
          channel.result_.cycles - channel.cycle_,
          channel.write_mode_};
}

std::int64_t Periods::pending(const Channel& channel) {
  return channel.device_.pending(static_cast<Device::Clock>(channel.cycle_ + 1 - channel.base_));
}

/// Number of the oldest waiting request, or of the next request if none waits.
std::int64_t Periods::oldest(const Channel& channel) {
  std::int64_t index = channel.index_;
  for (const RequestQueue& queue : channel.queues_) {
    queue.for_each_oldest([&](std::int32_t i) { index = std::min(index, queue[i].index); });
  }
  for (std::uint64_t left = channel.active_banks(); left != 0; left &= left - 1) {
    index = std::min(index, channel.active_[Channel::at(std::countr_zero(left))]);
  }
  return index;
}

void Periods::describe(const Channel& channel, const TrafficSource& source, const Regularity* at_refresh) {
  if (described_cycle_ != channel.cycle_) {
    described_cycle_ = channel.cycle_;
    describe(channel, source);
  }
  state_.all.resize(described_);
  if (at_refresh == nullptr) return;
  state_.all.push_back(modulo(channel.index_, at_refresh->period));
  // Refreshes visit the domains in a fixed order, which a shift must preserve.
  const std::int64_t bank = laws_.coarse.visit(channel.index_) + laws_.fine.turn(channel.index_);
  state_.all.push_back(channel.device_.domain(visit_lane(bank)));
}

/// Describes the channel in state_, except for the numbers that matter at refreshes only.
void Periods::describe(const Channel& channel, const TrafficSource& source) {
  const Device& device = channel.device_;
  const std::int64_t banks = source.banks();
  const std::int64_t all_visits = banks * source.rows();
  const std::int64_t now = laws_.coarse.visit(channel.index_);
  const std::int64_t turn = laws_.fine.turn(channel.index_);
  const auto clock = static_cast<Device::Clock>(channel.cycle_ + 1 - channel.base_);
  const std::uint64_t active = channel.active_banks();
  const auto count = static_cast<std::size_t>(banks);
  for (Numbers* numbers : {&state_.rows, &state_.row_commands, &state_.settled}) numbers->resize(count);
  // An upper bound on the numbers appended.
  state_.all.resize(16 * count + static_cast<std::size_t>(channel.unserved_) + 64);
  std::int64_t* next = state_.all.data();
  const auto append = [&](std::int64_t value) { *next++ = value; };
  std::array<std::int32_t, max_banks> lanes{};
  for (std::int64_t k = 0; k < banks; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const std::int64_t number = modulo(now + k, banks);
    const std::int32_t lane = visit_lane(number + turn);
    lanes[i] = lane;
    const std::int64_t visit = device.row(lane) * banks + number - now;
    state_.rows[i] = device.open(lane) ? modulo(visit, all_visits) : -1;
    state_.row_commands[i] = std::max(device.row_commands()[lane] - clock, 0);
    state_.settled[i] = device.settled(lane, clock) ? 1 : 0;
    if ((active >> lane & 1) == 0) {
      append(-1);
      continue;
    }
    append(channel.index_ - channel.active_[Channel::at(lane)]);
    append((channel.active_banks_[1] >> lane & 1) != 0 ? 1 : 0);
  }
  device.describe(clock, std::span(lanes).first(static_cast<std::size_t>(banks)), append);
  for (const RequestQueue& queue : channel.queues_) {
    // Bank by bank; the order over all banks is that of the request numbers.
    for (std::int64_t k = 0; k < banks && !queue.empty(); ++k) {
      for (std::int32_t i = queue.oldest(lanes[static_cast<std::size_t>(k)]);
           i != queue.end(lanes[static_cast<std::size_t>(k)]); i = queue[i].newer) {
        append((channel.index_ - queue[i].index) * 2 + (queue[i].counted ? 1 : 0));
      }
    }
    append(queue.size());
  }
  append(channel.write_mode_ ? 1 : 0);
  append(channel.held_ ? 1 : 0);
  append(channel.refused_ ? 1 : 0);
  append(std::max(channel.last_answer_ - channel.cycle_, std::int64_t{0}));
  append(channel.result_.cycles - channel.cycle_);
  append(channel.result_.cycles_last_accept - channel.cycle_);
  append(channel.unserved_);
  // The law does not relate requests of different segments.
  append(laws_.coarse.end(channel.index_));
  state_.behind = now - laws_.coarse.visit(oldest(channel));
  described_ = static_cast<std::size_t>(next - state_.all.data());
}

Periods::Progress Periods::progress(const Channel& channel) {
  const auto clock = static_cast<Device::Clock>(channel.cycle_ - channel.base_);
  return {channel.index_, channel.cycle_, channel.skipped_open_clocks_ + channel.device_.open_clocks(clock),
          channel.result_};
}

Periods::Progress Periods::since(const Channel& channel, const Progress& before) {
  Progress period = progress(channel);
  period.requests -= before.requests;
  period.clocks -= before.clocks;
  period.open_clocks -= before.open_clocks;
  for_each_count(period.counts, before.counts, [](std::int64_t& count, std::int64_t earlier) { count -= earlier; });
  return period;
}

bool Periods::same_banks(const State& one, const State& other) {
  return one.rows == other.rows && one.row_commands == other.row_commands;
}

/// Stores state_.
void Periods::remember(Remembered& remembered, const Channel& channel) const {
  remembered.sketch = sketch(channel);
  remembered.pending = pending(channel);
  remembered.state = state_;
  remembered.progress = progress(channel);
}

/// End of the requests that follow a law together with the next one.
std::int64_t Periods::end(const Regularity& law, const Channel& channel, const TrafficSource& source) const {
  return std::min(source.size(), law.end(channel.index_));
}

void Periods::try_refresh(Channel& channel, TrafficSource& source) {
  const Regularity& law = laws_.coarse;
  if (law.end(oldest(channel)) != law.end(channel.index_)) return;
  describe(channel, source, &law);
  const std::int64_t clocks = pending(channel);
  const auto same = std::ranges::find_if(refreshes_, [&](const Remembered& r) {
    return r.pending == clocks && r.state.all == state_.all && same_banks(r.state, state_);
  });
  if (same == refreshes_.end()) {
    if (refreshes_.size() < max_refreshes) refreshes_.emplace_back();
    remember(refreshes_[seen_refreshes_++ % max_refreshes], channel);
    return;
  }
  const Progress period = since(channel, same->progress);
  // A held request has already been taken.
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  const std::int64_t times = period.requests == 0 ? 0 : (end(law, channel, source) - taken) / period.requests;
  if (times <= 0) return;
  repeat(channel, source, period, period.requests / law.period * law.visits, {nullptr, times, true});
  channel.next_refresh_ += times * period.clocks;
}

bool Periods::try_between(Level& level, Channel& channel, TrafficSource& source) {
  const Regularity& law = level.law;
  level.next = channel.index_ + law.period;
  const std::int64_t inside = law.segment == 0 ? channel.unserved_ : modulo(channel.index_, law.segment);
  if (inside < channel.unserved_) {
    // The oldest waiting request belongs to an earlier segment.
    const std::int64_t first = channel.index_ - inside + channel.unserved_;
    level.next = law.next_begin(first - 1);
    return false;
  }
  const bool coarse = &level == &levels_[0];
  end_stage(level, channel);
  Repetition found = repetition(level, channel, source);
  const bool on_orbit = found.orbit != nullptr && found.orbit->period.requests != 0;
  if (on_orbit) {
    const Progress& period = found.orbit->period;
    found.times = std::min(found.times, (end(law, channel, source) - channel.index_) / period.requests);
    // Skipped clocks must not contain a refresh.
    if (channel.next_refresh_ != never) {
      found.times = std::min(found.times, (channel.next_refresh_ - (channel.cycle_ + 1)) / period.clocks);
    }
  }
  const bool moved = on_orbit && found.times > 0;
  if (moved) {
    end_trajectory(channel);
    repeat(channel, source, found.orbit->period, found.orbit->visits, found);
    resume_search_at(channel.index_);
  }
  // Further periods of this orbit would end after the refresh or the end of the law.
  if (on_orbit) level.next = channel.index_ + found.orbit->period.requests;
  if (laws_.fine.period != 0) return (coarse && take_trajectory(law, false, channel, source)) || moved;
  return (on_orbit && take_part(law, *found.orbit, channel, source)) || moved;
}

void Periods::resume_search_at(std::int64_t index) {
  for (Level& level : levels_) {
    if (level.law.period != 0) level.next = level.law.next_begin(index - 1);
  }
}

Periods::Repetition Periods::repetition(Level& level, const Channel& channel, const TrafficSource& source) {
  const Sketch here = sketch(channel);
  bool described = false;
  std::optional<std::int64_t> clocks;
  const auto alike = [&](const auto& earlier) {
    if (earlier.sketch != here) return false;
    if (!clocks) clocks = pending(channel);
    return earlier.pending == *clocks;
  };
  // Describes the channel, if all its requests belong to one segment.
  const auto in_segment = [&] {
    if (described) return true;
    if (level.law.end(oldest(channel)) != level.law.end(channel.index_)) return false;
    describe(channel, source, nullptr);
    described = true;
    return true;
  };
  for (const Orbit& known : level.orbits) {
    if (known.period.requests == 0 || !alike(known) || !in_segment()) continue;
    const Repetition found = on_orbit(known, source.banks());
    if (found.orbit != nullptr) return found;
  }
  Recurrence& r = level.recurrence;
  // A period contains no refresh, and begins and ends in the same segment.
  const std::int64_t segment = level.law.end(channel.index_);
  const bool changed = r.next_refresh != channel.next_refresh_ || r.segment != segment;
  if (changed)
    r.forget(
        level.orbits[level.newest].period.requests == 0 ? 1 : std::max(known_wait / level.law.period, std::int64_t{1}));
  r.next_refresh = channel.next_refresh_;
  r.segment = segment;
  if (r.remembers && alike(r.last) && in_segment() && r.last.state.all == state_.all) {
    Orbit latest = orbit(level, channel, source);
    if (on_orbit(latest, source.banks()).orbit != nullptr) {
      level.newest = 1 - level.newest;
      level.orbits[level.newest] = std::move(latest);
      return on_orbit(level.orbits[level.newest], source.banks());
    }
  }
  if (--r.comparisons_left <= 0 && in_segment()) {
    remember(r.last, channel);
    r.remembers = true;
    r.patience *= 2;
    r.comparisons_left = r.patience;
  }
  return {};
}

/// The orbit from the level's remembered state to state_, which equals it except for rows and row commands.
Periods::Orbit Periods::orbit(const Level& level, const Channel& channel, const TrafficSource& source) const {
  const Remembered& r = level.recurrence.last;
  Orbit result;
  result.sketch = r.sketch;
  result.pending = r.pending;
  result.state = r.state;
  result.period = since(channel, r.progress);
  result.next_refresh = channel.next_refresh_;
  result.visits = result.period.requests / level.law.period * level.law.visits;
  result.whole = same_banks(r.state, state_);
  result.touched = level.law.visits == 0 ? laws_.coarse.visits : result.visits;
  const std::int64_t banks = source.banks();
  const std::int64_t last = banks - state_.behind;
  const auto begun = static_cast<Device::Clock>(r.progress.clocks + 1 - channel.base_);
  result.leaves_open = level.law.turns == 0 && last >= result.touched && r.progress.clocks >= followed_until_ &&
                       channel.device_.open_since(begun);
  for (std::int64_t k = last - result.visits; k < last && result.leaves_open; ++k) {
    const auto i = static_cast<std::size_t>(k);
    result.leaves_open = state_.rows[i] == modulo(k - banks, banks * source.rows()) && state_.settled[i] != 0;
  }
  return result;
}

/// Checks if state_ is on an orbit, and how often the orbit may be repeated, disregarding refreshes and the end of the
/// traffic.
Periods::Repetition Periods::on_orbit(const Orbit& orbit, std::int64_t banks) const {
  if (orbit.state.all != state_.all) return {};
  if (orbit.whole && same_banks(orbit.state, state_)) return {&orbit, no_index, true};
  const std::int64_t times = orbit.leaves_open ? windows(orbit, banks) : 0;
  return times > 0 ? Repetition{&orbit, times, false} : Repetition{};
}

/// Number of times an orbit may be repeated from state_, which equals its state at least in everything except the rows
/// of banks: as long as the banks that the traffic reaches are in the state in which it found them on the orbit.
std::int64_t Periods::windows(const Orbit& orbit, std::int64_t banks) const {
  const auto at = [](const Numbers& numbers, std::int64_t k) { return numbers[static_cast<std::size_t>(k)]; };
  const std::int64_t last = banks - state_.behind;
  if (last < orbit.touched) return 0;
  for (std::int64_t k = 0; k < banks; ++k) {
    const bool open = at(state_.rows, k) >= 0;
    const bool far = k >= orbit.touched && k < last;
    if (far) {
      if (!open && at(orbit.state.rows, k) >= 0) return 0;
    } else if (at(orbit.state.rows, k) != at(state_.rows, k) ||
               at(orbit.state.row_commands, k) != at(state_.row_commands, k)) {
      return 0;
    }
    const bool comes = far || k < orbit.visits;
    if (comes && open && at(state_.settled, k) == 0) return 0;
  }
  if (orbit.visits == 0) return no_index;
  // Closed, open at the row of the next visit, or open at another row.
  const auto kind = [&](std::int64_t k) { return at(state_.rows, k) < 0 ? 0 : at(state_.rows, k) == k ? 1 : 2; };
  std::int64_t k = orbit.visits;
  while (k < last && kind(k) == kind(k % orbit.visits)) ++k;
  return k / orbit.visits;
}

void Periods::repeat(Channel& channel, TrafficSource& source, const Progress& period, std::int64_t visits,
                     const Repetition& repetition) const {
  const std::int64_t times = repetition.times;
  const std::int64_t requests = times * period.requests;
  const std::int64_t clocks = times * period.clocks;
  if (visits == 0 && laws_.fine.turns == 0) {
    shift_requests(channel, source, requests);
  } else {
    move_banks(channel, source, requests, times * visits, repetition.whole);
  }
  source.skip(requests);
  channel.index_ += requests;
  channel.numbers_ += (channel.unserved_ - (channel.held_ ? 1 : 0)) * requests;
  channel.cycle_ += clocks;
  channel.base_ += clocks;
  channel.last_answer_ += clocks;
  for_each_count(channel.result_, period.counts,
                 [&](std::int64_t& count, std::int64_t each) { count += times * each; });
  channel.result_.cycles += clocks;
  channel.result_.cycles_last_accept += clocks;
  channel.skipped_open_clocks_ += times * period.open_clocks;
  if (channel.held_) {
    channel.request_ = source.at(channel.index_);
    channel.lane_ = channel.device_.lane(channel.request_.bank);
  }
  channel.reschedule<false>(static_cast<Device::Clock>(channel.cycle_ + 1 - channel.base_));
  channel.wake_ = channel.cycle_ + 1;
}

/// Moves the state of banks by a number of visits, and their requests by a number of requests. Unless the states agree
/// in all banks, untouched banks keep their rows, and banks that the traffic has left are open at their latest rows.
void Periods::move_banks(Channel& channel, const TrafficSource& source, std::int64_t requests, std::int64_t visits,
                         bool whole) const {
  const std::int64_t banks = source.banks();
  const std::int64_t all_visits = banks * source.rows();
  const PowerOfTwo of(banks);
  const std::int64_t now = laws_.coarse.visit(channel.index_);
  const std::int64_t turn = laws_.fine.turn(channel.index_);
  const std::int64_t next_turn = laws_.fine.turn(channel.index_ + requests);
  const std::int64_t last = banks - state_.behind;
  std::array<std::int32_t, max_banks> from{};
  std::array<std::int32_t, max_banks> to{};
  std::array<std::int32_t, max_banks> rows{};
  const auto old_active = channel.active_;
  const auto old_keys = channel.active_keys_;
  const auto old_banks = channel.active_banks_;
  channel.active_banks_ = {};
  for (std::int64_t k = 0; k < banks; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const std::int64_t number = modulo(now + k, banks);
    from[i] = visit_lane(number + turn);
    to[i] = visit_lane(number + visits + next_turn);
    const std::int32_t row = channel.device_.row(from[i]);
    if (whole || k >= last) {
      rows[i] = row == Device::closed
                    ? row
                    : static_cast<std::int32_t>(modulo(row * banks + number + visits, all_visits) / of);
    } else if (k < last - visits) {
      rows[i] = channel.device_.row(to[i]);
    } else {
      rows[i] = static_cast<std::int32_t>(modulo(now + visits + k - banks, all_visits) / of);
    }
    channel.active_[Channel::at(to[i])] = old_active[Channel::at(from[i])] + requests;
    for (const std::size_t write : {0U, 1U}) {
      const bool active = (old_banks[write] >> from[i] & 1) != 0;
      channel.active_keys_[write].at[Channel::at(to[i])] = active ? with_lane(old_keys[write][from[i]], to[i]) : no_key;
      if (active) channel.active_banks_[write] |= Channel::bit(to[i]);
    }
  }
  const auto count = static_cast<std::size_t>(banks);
  const auto leaves = std::span(from).first(count);
  const auto becomes = std::span(to).first(count);
  channel.device_.permute(leaves, becomes, std::span(rows).first(count));
  for (RequestQueue& queue : channel.queues_) queue.relocate(leaves, becomes, moved(source, requests));
  for (std::size_t q = 0; q < channel.queues_.size(); ++q) {
    const RequestQueue& queue = channel.queues_[q];
    if (queue.empty()) continue;
    for (const std::int32_t lane : becomes) {
      channel.row_keys_[q].at[Channel::at(lane)] = channel.row_key<false>(queue, lane);
    }
  }
}

/// Shifts requests that stay in the same banks.
void Periods::shift_requests(Channel& channel, const TrafficSource& source, std::int64_t requests) const {
  for (std::uint64_t left = channel.active_banks(); left != 0; left &= left - 1) {
    channel.active_[Channel::at(std::countr_zero(left))] += requests;
  }
  for (RequestQueue& queue : channel.queues_) queue.shift(moved(source, requests));
}

}  // namespace pimsweep::hardware::dram
