#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"

namespace pimsweep::hardware::attention_pim {

/// Location of the multipliers: at each bank, at each bank group, or on the buffer die of the stack (AttAcc artifact,
/// config.py, commit c600051).
enum class Placement : std::uint8_t { bank, bank_group, buffer };
inline constexpr Words<Placement, 3> placement_words{
    {{"bank", Placement::bank}, {"bank-group", Placement::bank_group}, {"buffer", Placement::buffer}}};

/// Energy in J of moving a byte over each part of its path, and of one multiplication.
struct Energy {
  /// Activation and precharge, per byte of a row.
  double activate = 0;
  double cell_read = 0;
  /// From the column decoder to the bank-group multiplexer, and on to the multiplexer of the global I/O.
  double bank_group_mux = 0;
  double global_io = 0;
  double tsv = 0;
  double interposer = 0;
  double multiply = 0;
};

/// A stack of HBM with multipliers and softmax units. Times named n... are clocks of the command bus.
struct Device {
  /// Hz.
  double clock = 0;
  std::int64_t channels = 0;
  std::int64_t pseudo_channels = 0;
  std::int64_t ranks = 0;
  std::int64_t bank_groups = 0;
  /// Banks per group.
  std::int64_t banks = 0;
  /// Columns per row, and bytes per column access.
  std::int64_t columns = 0;
  std::int64_t column_bytes = 0;
  /// Rows of a score's matrix between two barriers.
  std::int64_t barrier_rows = 0;
  std::int64_t nBL = 0;
  std::int64_t nCCDS = 0;
  std::int64_t nCCDL = 0;
  /// Interval between MACs of all banks, or of the same bank of all groups: as limited by the banks, and by the power
  /// limit.
  std::int64_t nMAC = 0;
  std::int64_t nMAC_power_limit = 0;
  std::int64_t nRCD = 0;
  std::int64_t nRP = 0;
  std::int64_t nRAS = 0;
  /// MAC to precharge.
  std::int64_t nRTP = 0;
  /// Window of four row openings of a pseudo-channel; 0: all its banks open at once.
  std::int64_t nFAW = 0;
  std::int64_t nRFC = 0;
  std::int64_t nREFI = 0;
  Energy energy;

  std::int64_t banks_of_channel() const { return pseudo_channels * ranks * bank_groups * banks; }
  /// Units of a channel that compute at the same MAC command.
  std::int64_t units(Placement placement) const;
  /// Clocks from the first to the last bank that opens its row for the same MAC.
  std::int64_t opening(Placement placement) const;
  /// Clocks between MAC commands within a row.
  std::int64_t mac_interval(Placement placement, bool power_limit) const;
  /// Energy in J of moving a byte from the cells to the multipliers.
  double cell_energy(Placement placement) const;
};

}  // namespace pimsweep::hardware::attention_pim
