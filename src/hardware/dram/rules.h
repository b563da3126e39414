#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hardware/dram/dram.h"

namespace pimsweep::hardware::dram {

/// Earlier than any clock by more than any minimum distance.
inline constexpr std::int64_t long_ago = -(std::int64_t{1} << 40);
inline constexpr std::int64_t never = std::int64_t{1} << 62;

/// The constraints of a channel in clocks: minimum distances between the first cycles of commands. A command counts
/// from its last cycle (JESD79-5, JESD235), so those of several cycles shift the constraints of the standard.
class Rules {
 public:
  /// Stands for a missing rule: earlier than any clock by more than any rule.
  static constexpr std::int32_t none = -(1 << 28);

  explicit Rules(const Dram& dram);

  /// Distance within a domain; within a group, where the rules of the domain hold as well; within a bank, where only
  /// rules of the bank are included.
  std::int32_t domain(Command after, Command before) const { return at(Level::domain, after, before); }
  std::int32_t group(Command after, Command before) const { return at(Level::group, after, before); }
  std::int32_t bank(Command after, Command before) const { return at(Level::bank, after, before); }
  /// Distance between different ranks, and between different stacks of a domain.
  std::int32_t ranks(Command after, Command before) const { return at(Level::ranks, after, before); }
  std::int32_t stacks(Command after, Command before) const { return at(Level::stacks, after, before); }
  /// From an ACT to the fourth ACT after it in a domain.
  std::int32_t four_act() const { return four_act_; }

  /// RD to the end of its data.
  std::int64_t read;
  /// Clocks for which an ACT, and an RD or WR, occupy their bus.
  std::int32_t act_bus;
  std::int32_t column_bus;
  /// Clocks within which the second one of an ACT follows, after RDs, WRs and PREs that are ready; 0: the next one.
  std::int32_t act_within;
  /// 1 if all commands but precharges begin in odd clocks, else 0.
  std::int32_t odd;
  std::int64_t refresh_interval;
  std::int64_t bank_refresh_interval;
  /// Column commands and row commands have separate buses (HBM).
  bool two_buses;

  /// True if commands take one cycle of their bus, but for ACTs on a bus of their own, and begin in any, and if there
  /// is one rank and one stack.
  bool plain() const { return column_bus == 1 && (two_buses || act_bus == 1) && odd == 0 && !apart_; }

  /// True if rows opened back to back leave time for one column command each as soon as its row is ready, all of them
  /// RD or all WR, and stay open until after it.
  bool columns_follow_rows() const;

  /// Maximum distance in clocks from an ACT, RD or WR to an RD or WR.
  std::int64_t longest_column_rule() const;

  /// True if the standard has REFpb.
  bool refreshes_banks() const { return bank(Command::refpb, Command::act) > 0; }
  /// Maximum time for which a REFpb keeps the next one waiting, including closing the open row.
  std::int64_t bank_refresh_blocks() const;
  /// Maximum time for which a refresh blocks its domain for new requests, including closing the open rows.
  std::int64_t refresh_blocks() const;

 private:
  /// Minimum time from an ACT to the PRE after one RD or WR.
  std::int64_t visit() const;

  using Table = std::array<std::array<std::int32_t, commands>, commands>;
  std::int32_t at(Level level, Command after, Command before) const {
    return tables_[static_cast<std::size_t>(level)][index(after)][index(before)];
  }

  std::array<Table, levels> tables_;
  /// There are several ranks or stacks.
  bool apart_;
  std::int32_t four_act_ = none;
};

}  // namespace pimsweep::hardware::dram
