#include "hardware/dram/channel.h"

#include <cmath>

namespace pimsweep::hardware::dram {

namespace {

/// Fill levels of the write queue at which the controller switches to writes, and back to reads.
constexpr double high_water = 0.8;
constexpr double low_water = 0.2;

}  // namespace

Channel::Channel(const Dram& dram, const ControllerOptions& options, bool plans_columns, Latencies* latencies)
    : ChannelState(dram, Rules(dram), options),
      rules_(dram),
      domains_(static_cast<std::int32_t>(dram.organization.domains)),
      row_hit_first_(options.scheduler == Scheduler::fr_fcfs_row_hit),
      plans_(plans_columns && rules_.columns_follow_rows() && rules_.longest_column_rule() < ColumnPlan::clocks / 2),
      max_writes_{static_cast<std::int64_t>(std::floor(high_water * static_cast<double>(options.write_queue))),
                  static_cast<std::int64_t>(std::ceil(low_water * static_cast<double>(options.write_queue))) - 1},
      latencies_(latencies) {}

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
  for (std::int32_t lane = 0; lane < max_lanes; ++lane) update_row_keys(lane);
  schedule(planned_);
}

void Channel::reschedule(Clock now) { schedule(now); }

void Channel::schedule_odd(Clock now) { find_next<true>(now); }

void Channel::drop_plan() {
  issue_planned(cycle_);
  const bool pending = !planned_columns_.empty();
  planned_columns_.drop(
      cycle_ - ColumnPlan::clocks / 2,
      [&](const ColumnPlan::Command& taken) {
        device_.column(lane_of(taken.key), taken.write, static_cast<Clock>(taken.clock - base_));
      },
      [&](const ColumnPlan::Command& left) { activate(lane_of(left.key), left.write, left.index, left.key); });
  if (!pending) return;
  schedule(now_);
  wake_ = cycle_ + 1;
}

void Channel::rebase(std::int64_t clock) {
  // Odd clocks remain odd.
  const auto clocks = static_cast<Clock>((clock - base_) & ~std::int64_t{1});
  device_.rebase(clocks);
  planned_ -= clocks;
  base_ += clocks;
}

}  // namespace pimsweep::hardware::dram
