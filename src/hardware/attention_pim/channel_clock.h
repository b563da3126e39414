#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Effect of a barrier in the command stream on later precharges and activations.
enum class RowCommands : std::uint8_t {
  /// They pass the barrier: the next row opens while transfers before the barrier are still in progress (the artifact's
  /// scheduler as published, pim_scheduler.cpp at commit c600051).
  pass_barriers,
  /// They wait for the barrier. Most of the artifact's published table of clocks was produced in this way.
  wait_for_barriers,
};
inline constexpr Words<RowCommands, 2> row_commands_words{
    {{"pass-barriers", RowCommands::pass_barriers}, {"wait-for-barriers", RowCommands::wait_for_barriers}}};

struct ClockOptions {
  Placement placement = Placement::bank;
  bool power_limit = true;
  bool refresh = true;
  RowCommands row_commands = RowCommands::pass_barriers;
  Commands commands = Commands::needed;
};

/// Clocks of the busiest channel, advanced barrier by barrier.
class ChannelClock {
 public:
  ChannelClock(const Device& device, const ClockOptions& options);

  /// Clock at which all commands before the last barrier have been issued.
  double now() const { return barrier_; }

  /// The next MACs start with the first row of another matrix.
  void start_matrix();
  /// The next MACs start again with the current matrix, whose first row may still be open.
  void repeat_matrix();
  /// Runs `count` barriers, each with `macs` MACs on the next columns of the matrix and transfers of `moves` clocks.
  void run(std::int64_t count, std::int64_t macs, double moves);
  /// Runs a barrier with transfers only.
  void move(double moves) { barrier_ += moves; }

 private:
  void run_one(std::int64_t macs, double moves);
  /// Clock of the last of `macs` MACs on the rows after one whose last MAC is at `first_row_end`.
  double later_rows(double first_row_end, std::int64_t macs);
  /// Clock of the first MAC of a segment; opens its row.
  double first_mac();
  /// First clock at which the open row in the bank of the next MAC may be precharged.
  double precharge_from() const;
  bool at_new_row() const { return in_row_ == 0 && !first_row_open_; }

  double interval_ = 0;
  double precharge_to_activate_ = 0;
  double activate_to_mac_ = 0;
  double activate_to_precharge_ = 0;
  double mac_to_precharge_ = 0;
  /// Columns of a matrix between two row changes in the same bank.
  std::int64_t row_columns_ = 1;
  /// Columns of one bank.
  std::int64_t bank_columns_ = 0;
  bool all_banks_ = false;
  bool waits_ = false;
  bool takes_turns_ = false;
  bool first_row_open_ = false;
  bool cold_ = true;

  double barrier_ = 0;
  double last_mac_ = 0;
  /// MACs since the last one in the bank in which the next matrix starts.
  double since_first_bank_ = 0;
  double activated_ = 0;
  /// Columns of the matrix so far, and the number of them in the current row.
  std::int64_t column_ = 0;
  std::int64_t in_row_ = 0;
};

}  // namespace pimsweep::hardware::attention_pim
