#pragma once

#include <cstdint>

#include "hardware/dram/dram.h"

namespace pimsweep::hardware::dram {

/// Minimum distances in clocks between commands, as Ramulator 2.1 derives them from a standard's timing. The end of a
/// name tells whether its rule holds within a domain, a bank group or a bank; `never_binds` stands for no rule.
struct Rules {
  // Within a domain.
  std::int64_t rd_rd, wr_wr, rd_wr, wr_rd;
  std::int64_t act_act, four_act;
  std::int64_t rd_preab, wr_preab, act_preab;
  std::int64_t preab_act, ref_act, ref_preab;
  std::int64_t act_ref, pre_ref, preab_ref, ref_ref;
  std::int64_t pre_pre;
  // Within a bank group.
  std::int64_t rd_rd_group, wr_wr_group, wr_rd_group, act_act_group;
  // Within a bank.
  std::int64_t act_act_bank, act_rd_bank, act_wr_bank, act_pre_bank, pre_act_bank, rd_pre_bank, wr_pre_bank;
  /// RD to the end of its data.
  std::int64_t read;
  /// Clocks for which an ACT holds the bus of row commands.
  std::int64_t act_bus;
  std::int64_t refresh_interval;
  /// Whether column commands and row commands have a bus each (HBM).
  bool two_buses;

  explicit Rules(const Dram& dram);

  /// Whether rows that are opened one after another leave time for one column command each right when its row is ready,
  /// all of them RD or all WR, and whether rows stay open until after that.
  bool columns_follow_rows() const;

  /// Most clocks from an ACT, RD or WR to an RD or WR.
  std::int64_t longest_column_rule() const;

  /// Longest time that a refresh can keep its domain from new requests, closing the open rows included.
  std::int64_t refresh_blocks() const;
};

/// Earlier than any clock by more than any minimum distance.
inline constexpr std::int64_t long_ago = -(std::int64_t{1} << 40);
inline constexpr std::int64_t never = std::int64_t{1} << 62;
inline constexpr std::int64_t never_binds = long_ago;

}  // namespace pimsweep::hardware::dram
