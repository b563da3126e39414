#include "hardware/dram/channel.h"

#include <bit>
#include <cmath>
#include <utility>

namespace pimsweep::hardware::dram {

Channel::Channel(const Dram& dram, const ControllerOptions& options, bool plans_columns, TraceLog* log)
    : ChannelState(dram, Rules(dram), options),
      rules_(dram),
      domains_(static_cast<std::int32_t>(dram.organization.domains)),
      row_hit_first_(options.scheduler != Scheduler::fr_fcfs),
      all_hits_first_(options.scheduler == Scheduler::fr_fcfs_all_hits),
      closes_rows_(options.row_policy == RowPolicy::closed),
      hits_keep_rows_(all_hits_first_ || closes_rows_),
      hit_cap_(options.hit_cap),
      per_bank_(options.refresh == Refresh::per_bank),
      plain_(rules_.plain() && options.has_periods() && !all_hits_first_ && log == nullptr),
      refreshed_groups_(static_cast<std::int32_t>(dram.commands.refreshed_groups)),
      bank_refreshes_(static_cast<std::int32_t>(dram.organization.domains *
                                                dram.organization.bank_refreshes(dram.commands.refreshed_groups))),
      plans_(plans_columns && rules_.columns_follow_rows() && rules_.longest_column_rule() < ColumnPlan::clocks / 2),
      max_writes_{
          static_cast<std::int64_t>(std::floor(options.write_high * static_cast<double>(options.write_queue))),
          std::max(
              std::int64_t{0},
              static_cast<std::int64_t>(std::ceil(options.write_low * static_cast<double>(options.write_queue))) - 1)},
      log_(log) {}

Result Channel::result() const {
  Result result = result_;
  result.open_clocks = skipped_open_clocks_ + device_.open_clocks(static_cast<Clock>(result.cycles - base_));
  return result;
}

/// Renumbers all waiting requests in their order, starting at 0.
void Channel::renumber() {
  renumbered_.clear();
  for (RequestQueue& each : queues_) {
    each.for_each([&](std::int32_t i) { renumbered_.push_back(&each[i].key); });
  }
  for (const std::size_t write : {0U, 1U}) {
    for (std::uint64_t left = active_banks_[write]; left != 0; left &= left - 1) {
      renumbered_.push_back(&active_keys_[write].at[at(std::countr_zero(left))]);
    }
  }
  std::ranges::sort(renumbered_, {}, [](const std::int32_t* key) { return *key & ~not_active; });
  number_ = 0;
  for (std::int32_t* key : renumbered_) {
    *key = with_lane((*key & not_active) | number_++ << number_shift, lane_of(*key));
  }
  for (RequestQueue& each : queues_) each.update_hit_keys();
  for (std::int32_t lane = 0; lane < max_lanes; ++lane) update_row_keys<false>(lane);
  schedule<false>(planned_);
}

template <bool plain>
void Channel::reschedule(Clock now) {
  schedule<plain>(now);
}
template void Channel::reschedule<false>(Clock);
template void Channel::reschedule<true>(Clock);

void Channel::schedule_odd(Clock now) { find_next<false, true>(now); }

void Channel::drop_plan() {
  issue_planned<false>(cycle_);
  const bool pending = !planned_columns_.empty();
  planned_columns_.drop(
      cycle_ - ColumnPlan::clocks / 2,
      [&](const ColumnPlan::Command& taken) {
        device_.column(lane_of(taken.key), taken.write, static_cast<Clock>(taken.clock - base_));
      },
      [&](const ColumnPlan::Command& left) { activate(lane_of(left.key), left.write, left.index, left.key); });
  if (!pending) return;
  schedule<false>(now_);
  wake_ = cycle_ + 1;
}

void Channel::keep_row_open() {
  update_row_keys<false>(lane_);
  reschedule<false>(now_);
}

void Channel::count_overtaking(std::int32_t lane) {
  if (++overtakings_[at(lane)] < hit_cap_) return;
  device_.retire_row(lane);
  for (RequestQueue& each : queues_) each.row_retired(lane);
}

Channel::Clock Channel::refresh_from(Clock now) const {
  const std::int32_t domain = first_refresh_;
  if (device_.open_banks(domain) == 0) return device_.ref_from(domain, now);
  return (device_.banks(domain) & active_banks()) != 0 ? no_time : device_.preab_from(domain, now);
}

void Channel::issue_refresh() {
  if (refresh_from(now_) > now_) return;
  const std::int32_t domain = first_refresh_;
  const std::uint64_t open = device_.open_banks(domain);
  if (open != 0) {
    device_.preab(domain, now_);
    device_.delay_second_act(now_);
    for (std::uint64_t left = open; left != 0; left &= left - 1) row_closed<false>(std::countr_zero(left));
    ++result_.commands.preab;
  } else {
    device_.ref(domain, now_);
    ++result_.commands.ref;
    --pending_refreshes_;
    first_refresh_ = (first_refresh_ + 1) % domains_;
  }
}

void Channel::bank_refresh_due() {
  pending_bank_refreshes_ += domains_;
  next_refresh_ += rules_.bank_refresh_interval;
  if (refreshed_ == 0) begin_bank_refresh();
}

void Channel::begin_bank_refresh() {
  refreshed_ = device_.banks_refreshed(bank_refresh_ % domains_, bank_refresh_ / domains_, refreshed_groups_);
  bank_refresh_ = (bank_refresh_ + 1) % bank_refreshes_;
  for (std::uint64_t left = refreshed_; left != 0; left &= left - 1) {
    const std::int32_t lane = std::countr_zero(left);
    if (device_.open(lane)) {
      device_.retire_row(lane);
      for (RequestQueue& each : queues_) each.row_retired(lane);
    }
    update_row_keys<false>(lane);
  }
}

Channel::Clock Channel::bank_refresh_from(Clock now) const {
  Clock closable = no_time;
  Clock refreshable = now;
  for (std::uint64_t left = refreshed_; left != 0; left &= left - 1) {
    const std::int32_t lane = std::countr_zero(left);
    if (!device_.open(lane)) {
      refreshable = std::max(refreshable, device_.refpb_from(lane, now));
    } else if ((active_banks() & bit(lane)) == 0) {
      closable = std::min(closable, device_.row_from<false>(lane, now));
    }
  }
  return (device_.open_banks(device_.domain(std::countr_zero(refreshed_))) & refreshed_) != 0 ? closable : refreshable;
}

bool Channel::issue_bank_refresh() {
  if (bank_refresh_from(now_) > now_) return false;
  for (std::uint64_t left = refreshed_; left != 0; left &= left - 1) {
    const std::int32_t lane = std::countr_zero(left);
    if (!device_.open(lane) || (active_banks() & bit(lane)) != 0 || device_.row_from<false>(lane, now_) > now_)
      continue;
    device_.pre(lane, now_);
    device_.delay_second_act(now_);
    row_closed<false>(lane);
    update_row_keys<false>(lane);
    ++result_.commands.pre;
    return true;
  }
  device_.refpb(refreshed_, now_);
  ++result_.commands.refpb;
  const std::uint64_t done = std::exchange(refreshed_, 0);
  for (std::uint64_t left = done; left != 0; left &= left - 1) update_row_keys<false>(std::countr_zero(left));
  if (--pending_bank_refreshes_ > 0) begin_bank_refresh();
  return true;
}

void Channel::rebase(std::int64_t clock) {
  // Odd clocks remain odd.
  const auto clocks = static_cast<Clock>((clock - base_) & ~std::int64_t{1});
  device_.rebase(clocks);
  planned_ -= clocks;
  base_ += clocks;
}

}  // namespace pimsweep::hardware::dram
