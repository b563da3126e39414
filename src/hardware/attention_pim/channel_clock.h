#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/attention_pim/commands.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// What a barrier of the command stream does to precharges and activations behind it.
enum class RowCommands : std::uint8_t {
  /// They pass it: the next row opens while moves before the barrier are still under way (the artifact's scheduler as
  /// published, pim_scheduler.cpp at commit c600051).
  pass_barriers,
  /// They wait for it. Most of the artifact's published table of clocks was made so.
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

/// Time of the busiest channel, barrier by barrier.
class ChannelClock {
 public:
  ChannelClock(const Device& device, const ClockOptions& options);

  /// Clock at which the commands before the last barrier have been issued.
  double now() const { return barrier_; }

  /// The next MACs begin with the first row of another matrix.
  void start_matrix();
  /// They begin again with the matrix at hand, whose first row may still be open.
  void repeat_matrix();
  /// `count` barriers, each with `macs` MACs on the columns of the matrix that follow, and moves of `moves` clocks.
  void run(std::int64_t count, std::int64_t macs, double moves);
  /// A barrier with moves alone.
  void move(double moves) { barrier_ += moves; }

 private:
  void run_one(std::int64_t macs, double moves);
  /// Clock of the last of `macs` MACs on the rows that follow one whose last MAC is at `first_row_end`.
  double later_rows(double first_row_end, std::int64_t macs);
  /// Clock of a segment's first MAC; opens its row.
  double first_mac();
  /// First clock at which the row that is open in the bank of the next may be precharged.
  double precharge_from() const;
  bool at_new_row() const { return in_row_ == 0 && !first_row_open_; }

  double interval_ = 0;
  double precharge_to_activate_ = 0;
  double activate_to_mac_ = 0;
  double activate_to_precharge_ = 0;
  double mac_to_precharge_ = 0;
  /// Columns of a matrix between two changes of row in the same bank.
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
  /// MACs since the last one of the bank that the next matrix begins in.
  double since_first_bank_ = 0;
  double activated_ = 0;
  /// Columns of the matrix so far, and of these the ones in the row at hand.
  std::int64_t column_ = 0;
  std::int64_t in_row_ = 0;
};

}  // namespace pimsweep::hardware::attention_pim
