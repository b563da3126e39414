#include "hardware/attention_pim/channel_clock.h"

#include <algorithm>
#include <numeric>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::attention_pim {

ChannelClock::ChannelClock(const Device& device, const ClockOptions& options)
    : interval_(static_cast<double>(device.mac_interval(options.placement, options.power_limit))),
      precharge_to_activate_(static_cast<double>(device.nRP)),
      activate_to_mac_(static_cast<double>(device.nRCD + device.opening(options.placement))),
      activate_to_precharge_(static_cast<double>(device.nRAS + device.opening(options.placement))),
      mac_to_precharge_(static_cast<double>(device.nRTP)),
      bank_columns_(device.columns),
      all_banks_(options.placement == Placement::bank),
      waits_(options.row_commands == RowCommands::wait_for_barriers),
      takes_turns_(options.placement == Placement::buffer) {
  // At bank level all banks have the same row open. The other placements go through the banks of a group, or of all
  // ranks and groups, before they return to the first.
  std::int64_t banks_in_turn = 1;
  if (options.placement == Placement::bank_group) banks_in_turn = device.banks;
  if (options.placement == Placement::buffer) banks_in_turn = device.ranks * device.bank_groups * device.banks;
  row_columns_ = device.columns * banks_in_turn;
}

void ChannelClock::start_matrix() {
  // At bank-group level, MACs fill one bank after another, so the first bank may have been idle for long. On the buffer
  // die they go to another bank each time, so all banks work until the end.
  const bool fills_banks = !all_banks_ && !takes_turns_ && column_ > 0;
  const std::int64_t position = fills_banks ? (column_ - 1) % row_columns_ : 0;
  since_first_bank_ = static_cast<double>(std::max<std::int64_t>(0, position - (bank_columns_ - 1)));
  first_row_open_ = false;
  column_ = 0;
  in_row_ = 0;
}

void ChannelClock::repeat_matrix() {
  const bool one_row = column_ <= row_columns_;
  start_matrix();
  first_row_open_ = one_row;
}

double ChannelClock::precharge_from() const {
  const double idle_since = last_mac_ - since_first_bank_ * interval_;
  return std::max(idle_since + mac_to_precharge_, activated_ + activate_to_precharge_);
}

double ChannelClock::first_mac() {
  if (cold_) {
    cold_ = false;
    return std::max(barrier_, activate_to_mac_);
  }
  const double as_column = std::max(barrier_, last_mac_ + interval_);
  if (!at_new_row()) return as_column;
  // Within a matrix, unless all banks work at once, banks open their next rows ahead.
  const bool opened_ahead = !all_banks_ && column_ > 0;
  if (opened_ahead && !waits_) return as_column;
  double from = opened_ahead ? barrier_ : precharge_from();
  if (waits_) from = std::max(from, barrier_);
  activated_ = from + precharge_to_activate_;
  return std::max(as_column, activated_ + activate_to_mac_);
}

double ChannelClock::later_rows(double first_row_end, std::int64_t macs) {
  const std::int64_t rows = ceil_div(macs, row_columns_);
  const double macs_time = static_cast<double>(macs) * interval_;
  if (!all_banks_) return first_row_end + macs_time;
  last_mac_ = first_row_end;
  since_first_bank_ = 0;
  const double precharge_to_mac = precharge_to_activate_ + activate_to_mac_;
  const double first_gap = precharge_from() + precharge_to_mac - last_mac_;
  // A whole row was activated `activate_to_mac_` before its first MAC.
  const double row_time = activate_to_mac_ + static_cast<double>(row_columns_ - 1) * interval_;
  const double gap = std::max(mac_to_precharge_, activate_to_precharge_ - row_time) + precharge_to_mac;
  const double end = first_row_end + macs_time + std::max(0.0, first_gap - interval_) +
                     static_cast<double>(rows - 1) * std::max(0.0, gap - interval_);
  const std::int64_t in_last_row = macs - (rows - 1) * row_columns_;
  activated_ = end - static_cast<double>(in_last_row - 1) * interval_ - activate_to_mac_;
  return end;
}

void ChannelClock::run_one(std::int64_t macs, double moves) {
  double mac = first_mac();
  const std::int64_t in_first_row = std::min(macs, row_columns_ - in_row_);
  mac += static_cast<double>(in_first_row - 1) * interval_;
  if (macs > in_first_row) mac = later_rows(mac, macs - in_first_row);
  last_mac_ = mac;
  since_first_bank_ = 0;
  column_ += macs;
  in_row_ += macs;
  if (in_row_ >= row_columns_) in_row_ %= row_columns_;
  first_row_open_ = false;
  barrier_ = std::max(mac + 1, barrier_ + moves);
}

void ChannelClock::run(std::int64_t count, std::int64_t macs, double moves) {
  // Barriers repeat with the row changes; the first periods depend on earlier commands.
  constexpr std::int64_t settling = 2;
  const bool rows_matter = all_banks_ || waits_;
  const std::int64_t period = rows_matter ? std::max<std::int64_t>(1, row_columns_ / std::gcd(row_columns_, macs)) : 1;
  const std::int64_t periods = count / period;
  if (periods > settling + 1) {
    run(settling * period, macs, moves);
    const double before = barrier_;
    run(period, macs, moves);
    const std::int64_t skipped = periods - settling - 1;
    const double time = (barrier_ - before) * static_cast<double>(skipped);
    barrier_ += time;
    last_mac_ += time;
    activated_ += time;
    column_ += skipped * period * macs;
    in_row_ = column_ % row_columns_;
    count -= periods * period;
  }
  for (std::int64_t i = 0; i < count; ++i) run_one(macs, moves);
}

}  // namespace pimsweep::hardware::attention_pim
