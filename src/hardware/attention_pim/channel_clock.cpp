#include "hardware/attention_pim/channel_clock.h"

#include <algorithm>
#include <numeric>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::attention_pim {

ChannelClock::ChannelClock(const Device& device, const ClockOptions& options)
    : interval_(static_cast<double>(device.mac_interval(options.placement, options.power_limit))),
      precharge_to_mac_(static_cast<double>(device.nRP + device.nRCD)),
      activate_to_mac_(static_cast<double>(device.nRCD)),
      activate_to_precharge_(static_cast<double>(device.nRAS)),
      mac_to_precharge_(static_cast<double>(device.nRTP)),
      bank_columns_(device.columns),
      all_banks_(options.placement == Placement::bank),
      waits_(options.row_commands == RowCommands::wait_for_barriers),
      takes_turns_(options.placement == Placement::buffer) {
  // At bank level all banks have the same row open. The other placements go through the banks of a group, or of all
  // ranks and groups, before they come back to the first.
  std::int64_t banks_in_turn = 1;
  if (options.placement == Placement::bank_group) banks_in_turn = device.banks;
  if (options.placement == Placement::buffer) banks_in_turn = device.ranks * device.bank_groups * device.banks;
  row_columns_ = device.columns * banks_in_turn;
}

void ChannelClock::start_matrix() {
  // On the buffer die, MACs go to another bank each time: all are at work to the end. At a bank group they fill one
  // bank after the other.
  const std::int64_t last_bank = column_ > 0 ? (column_ - 1) % row_columns_ / bank_columns_ : 0;
  bank_taken_ = all_banks_ || takes_turns_ || last_bank == 0;
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
  return std::max(last_mac_ + mac_to_precharge_, activated_ + activate_to_precharge_);
}

double ChannelClock::first_mac() const {
  if (cold_) return std::max(barrier_, activate_to_mac_);
  const double as_column = std::max(barrier_, last_mac_ + interval_);
  if (!at_new_row()) return as_column;
  const bool must_close = all_banks_ || (column_ == 0 && bank_taken_);
  double from = must_close ? precharge_from() : -precharge_to_mac_;
  if (waits_) from = std::max(from, barrier_);
  return std::max(as_column, from + precharge_to_mac_);
}

void ChannelClock::run_one(std::int64_t macs, double moves) {
  const bool opens = cold_ || at_new_row();
  double mac = first_mac();
  cold_ = false;
  if (opens) activated_ = mac - activate_to_mac_;
  const std::int64_t in_first_row = std::min(macs, row_columns_ - in_row_);
  mac += static_cast<double>(in_first_row - 1) * interval_;
  const std::int64_t later = macs - in_first_row;
  if (later > 0) {
    const std::int64_t rows = ceil_div(later, row_columns_);
    mac += static_cast<double>(later) * interval_;
    if (all_banks_) {
      // The first of these rows follows a row whose activation is known, the others follow whole rows.
      const double row_time = static_cast<double>(row_columns_ - 1) * interval_;
      const double whole =
          std::max(mac_to_precharge_, activate_to_precharge_ - activate_to_mac_ - row_time) + precharge_to_mac_;
      last_mac_ = mac - static_cast<double>(later) * interval_;
      const double first = precharge_from() + precharge_to_mac_ - last_mac_;
      mac += std::max(0.0, first - interval_) + static_cast<double>(rows - 1) * std::max(0.0, whole - interval_);
      const std::int64_t in_last_row = later - (rows - 1) * row_columns_;
      activated_ = mac - static_cast<double>(in_last_row - 1) * interval_ - activate_to_mac_;
    }
  }
  last_mac_ = mac;
  column_ += macs;
  in_row_ += macs;
  if (in_row_ >= row_columns_) in_row_ %= row_columns_;
  first_row_open_ = false;
  barrier_ = std::max(mac + 1, barrier_ + moves);
}

void ChannelClock::run(std::int64_t count, std::int64_t macs, double moves) {
  // Barriers repeat with the change of rows; the first periods depend on what came before.
  constexpr std::int64_t settling = 2;
  const std::int64_t period = all_banks_ || waits_ ? row_columns_ / std::gcd(row_columns_, macs) : 1;
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
