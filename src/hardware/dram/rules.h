#pragma once

#include <cstdint>

#include "hardware/dram/dram.h"

namespace pimsweep::hardware::dram {

/// Minimum distances in clocks between commands, as derived from the timing of a standard by Ramulator 2.1. The suffix
/// of a name is the scope of its rule: domain (none), bank group or bank. `never_binds` means that there is no rule.
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
  /// Clocks for which an ACT occupies the bus of row commands.
  std::int64_t act_bus;
  std::int64_t refresh_interval;
  /// Column commands and row commands have separate buses (HBM).
  bool two_buses;

  explicit Rules(const Dram& dram);

  /// True if rows opened back to back leave time for one column command each as soon as its row is ready, all of them
  /// RD or all WR, and stay open until after it.
  bool columns_follow_rows() const;

  /// Maximum distance in clocks from an ACT, RD or WR to an RD or WR.
  std::int64_t longest_column_rule() const;

  /// Maximum time for which a refresh blocks its domain for new requests, including closing the open rows.
  std::int64_t refresh_blocks() const;
};

/// Earlier than any clock by more than any minimum distance.
inline constexpr std::int64_t long_ago = -(std::int64_t{1} << 40);
inline constexpr std::int64_t never = std::int64_t{1} << 62;
inline constexpr std::int64_t never_binds = long_ago;

}  // namespace pimsweep::hardware::dram
