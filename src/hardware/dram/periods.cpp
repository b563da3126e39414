#include "hardware/dram/periods.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "hardware/dram/channel.h"

namespace pimsweep::hardware::dram {

namespace {

/// The visit of a law that request i belongs to.
std::int64_t visit_of(const Regularity& law, std::int64_t i) { return i / law.period * law.visits; }

}  // namespace

void Periods::visit(Channel& channel, TrafficSource& source) {
  if (channel.pending_refreshes_ > 0) return;
  if (channel.cycle_ + 1 == channel.next_refresh_) {
    visit_refresh(channel, source);
  } else {
    visit_between(channel, source);
  }
}

/// Whether the law holds for all requests that the channel has.
bool Periods::in_segment(const Channel& channel, const Regularity& law) {
  if (law.segment == 0) return true;
  const std::int64_t first = channel.index_ / law.segment * law.segment;
  bool inside = true;
  for (const RequestQueue& queue : channel.queues_) {
    queue.for_each([&](std::int32_t i) { inside = inside && queue[i].index >= first; });
  }
  for (std::uint64_t left = channel.active_banks_; left != 0; left &= left - 1) {
    inside = inside && channel.active_[Channel::at(std::countr_zero(left))].index >= first;
  }
  return inside;
}

/// Writes to state_ all that the future depends on, relative to the clock, the next request and its visit.
void Periods::describe(const Channel& channel, const TrafficSource& source, const Regularity& law, bool at_refresh) {
  const Device& device = channel.device_;
  const std::int64_t banks = source.banks();
  const std::int64_t all_visits = banks * source.rows();
  const std::int64_t now = visit_of(law, channel.index_);
  const auto clock = static_cast<Device::Clock>(channel.cycle_ + 1 - channel.base_);
  state_.clear();
  const auto append = [&](std::int64_t value) { state_.push_back(value); };
  std::array<std::int32_t, max_banks> lanes{};
  for (std::int64_t k = 0; k < banks; ++k) {
    const std::int64_t number = (now + k) % banks;
    const std::int32_t lane = device.lane(source.visit_bank(number));
    lanes[static_cast<std::size_t>(k)] = lane;
    const std::int64_t visit = device.row(lane) * banks + number - now;
    append(device.open(lane) ? (visit % all_visits + all_visits) % all_visits : -1);
    if ((channel.active_banks_ >> lane & 1) == 0) {
      append(-1);
      continue;
    }
    const Channel::Active& active = channel.active_[Channel::at(lane)];
    append(channel.index_ - active.index);
    append(channel.cycle_ - active.arrival);
    append(channel.active_writes_[lane]);
  }
  device.describe(clock, std::span(lanes).first(static_cast<std::size_t>(banks)), append);
  for (const RequestQueue& queue : channel.queues_) {
    // Bank by bank; the order over all banks is that of the numbers.
    for (std::int64_t k = 0; k < banks && !queue.empty(); ++k) {
      for (std::int32_t i = queue.oldest(lanes[static_cast<std::size_t>(k)]); i != RequestQueue::none;
           i = queue[i].newer) {
        append((channel.index_ - queue[i].index) << 1 | (queue[i].counted ? 1 : 0));
        append(channel.cycle_ - queue[i].arrival);
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
  append(channel.index_ % law.period);
  // The law says nothing about requests of different segments.
  append(law.segment == 0 ? 0 : channel.index_ / law.segment);
  // Refreshes go from domain to domain in a fixed order, which a shift has to keep.
  if (at_refresh) append(device.domain(lanes[0]));
}

Periods::Progress Periods::progress(const Channel& channel) {
  const auto clock = static_cast<Device::Clock>(channel.cycle_ - channel.base_);
  return {channel.index_, channel.cycle_, channel.skipped_open_clocks_ + channel.device_.open_clocks(clock),
          channel.result_};
}

/// Whether state_ is the remembered one; if not, it may take its place.
bool Periods::recurs(Recurrence& recurrence, const Channel& channel) const {
  if (recurrence.remembers && recurrence.state == state_) return true;
  if (--recurrence.visits_left > 0) return false;
  recurrence.remembers = true;
  recurrence.state = state_;
  recurrence.progress = progress(channel);
  recurrence.next_refresh = channel.next_refresh_;
  recurrence.patience *= 2;
  recurrence.visits_left = recurrence.patience;
  return false;
}

void Periods::visit_refresh(Channel& channel, TrafficSource& source) {
  const Regularity law = source.regularity();
  if (!in_segment(channel, law)) return;
  describe(channel, source, law, true);
  if (!recurs(refreshes_, channel)) return;
  Progress period = progress(channel);
  const Progress& since = refreshes_.progress;
  period.requests -= since.requests;
  period.clocks -= since.clocks;
  period.open_clocks -= since.open_clocks;
  for_each_count(period.counts, since.counts, [](std::int64_t& count, std::int64_t before) { count -= before; });
  std::int64_t end = source.size();
  if (law.segment != 0) end = std::min(end, (channel.index_ / law.segment + 1) * law.segment);
  // A request that is held has been taken.
  const std::int64_t taken = channel.index_ + (channel.held_ ? 1 : 0);
  const std::int64_t times = period.requests == 0 ? 0 : (end - taken) / period.requests;
  if (times <= 0) return;
  repeat(channel, source, law, period, times);
  channel.next_refresh_ += times * period.clocks;
}

void Periods::visit_between(Channel& channel, TrafficSource& source) {
  const Regularity law = source.fine_regularity();
  if (!in_segment(channel, law)) return;
  describe(channel, source, law, false);
  std::int64_t end = source.size();
  if (law.segment != 0) end = std::min(end, (channel.index_ / law.segment + 1) * law.segment);
  Progress period = steady_period_;
  if (steady_ != state_) {
    // A period holds no refresh.
    if (between_.next_refresh != channel.next_refresh_) between_ = {};
    if (!recurs(between_, channel)) return;
    period = progress(channel);
    const Progress& since = between_.progress;
    period.requests -= since.requests;
    period.clocks -= since.clocks;
    period.open_clocks -= since.open_clocks;
    for_each_count(period.counts, since.counts, [](std::int64_t& count, std::int64_t before) { count -= before; });
    steady_ = state_;
    steady_period_ = period;
  }
  if (period.requests == 0) return;
  std::int64_t times = (end - channel.index_) / period.requests;
  // No refresh is due in a clock that is skipped.
  if (channel.next_refresh_ != never) {
    times = std::min(times, (channel.next_refresh_ - (channel.cycle_ + 1)) / period.clocks);
  }
  if (times > 0) repeat(channel, source, law, period, times);
}

void Periods::repeat(Channel& channel, TrafficSource& source, const Regularity& law, const Progress& period,
                     std::int64_t times) {
  const std::int64_t requests = times * period.requests;
  const std::int64_t clocks = times * period.clocks;
  source.skip(requests);
  channel.index_ += requests;
  channel.cycle_ += clocks;
  channel.base_ += clocks;
  channel.last_answer_ += clocks;
  for_each_count(channel.result_, period.counts,
                 [&](std::int64_t& count, std::int64_t each) { count += times * each; });
  channel.result_.cycles += clocks;
  channel.result_.cycles_last_accept += clocks;
  channel.skipped_open_clocks_ += times * period.open_clocks;
  std::array<std::vector<RequestQueue::Entry>, 2> waiting{channel.queues_[0].take_all(), channel.queues_[1].take_all()};
  for (Channel::Active& active : channel.active_) {
    active.arrival += clocks;
    active.index += requests;
  }
  move_banks(channel, source, requests / law.period * law.visits);
  for (std::size_t q = 0; q < waiting.size(); ++q) {
    for (RequestQueue::Entry entry : waiting[q]) {
      entry.arrival += clocks;
      entry.index += requests;
      const Request there = source.at(entry.index);
      const std::int32_t lane = channel.device_.lane(there.bank);
      entry.row = static_cast<std::int32_t>(there.row);
      entry.column = static_cast<std::int32_t>(there.column);
      entry.key = (entry.key & ~(max_lanes - 1)) | lane;
      channel.queues_[q].push(entry, channel.device_.row(lane));
    }
  }
  if (channel.held_) {
    channel.request_ = source.at(channel.index_);
    channel.lane_ = channel.device_.lane(channel.request_.bank);
  }
  for (std::int32_t lane = 0; lane < max_lanes; ++lane) channel.update_row_keys(lane);
  channel.look(static_cast<Device::Clock>(channel.cycle_ + 1 - channel.base_));
  channel.wake_ = channel.cycle_ + 1;
}

/// Moves what banks are in by so many visits.
void Periods::move_banks(Channel& channel, const TrafficSource& source, std::int64_t visits) {
  const std::int64_t banks = source.banks();
  const std::int64_t all_visits = banks * source.rows();
  std::array<std::int32_t, max_banks> from{};
  std::array<std::int32_t, max_banks> to{};
  std::array<std::int32_t, max_banks> rows{};
  const auto old_active = channel.active_;
  const Lanes old_keys = channel.active_keys_;
  const Lanes old_writes = channel.active_writes_;
  const std::uint64_t old_banks = channel.active_banks_;
  channel.active_banks_ = 0;
  for (std::int64_t number = 0; number < banks; ++number) {
    const auto i = static_cast<std::size_t>(number);
    from[i] = channel.device_.lane(source.visit_bank(number));
    to[i] = channel.device_.lane(source.visit_bank((number + visits) % banks));
    const std::int32_t row = channel.device_.row(from[i]);
    rows[i] =
        row == Device::closed ? row : static_cast<std::int32_t>((row * banks + number + visits) % all_visits / banks);
    const bool active = (old_banks >> from[i] & 1) != 0;
    channel.active_[Channel::at(to[i])] = old_active[Channel::at(from[i])];
    channel.active_keys_.set(to[i], active ? (old_keys[from[i]] & ~(max_lanes - 1)) | to[i] : no_key);
    channel.active_writes_.set(to[i], old_writes[from[i]]);
    if (active) channel.active_banks_ |= Channel::bit(to[i]);
  }
  const auto count = static_cast<std::size_t>(banks);
  channel.device_.permute(std::span(from).first(count), std::span(to).first(count), std::span(rows).first(count));
}

}  // namespace pimsweep::hardware::dram
