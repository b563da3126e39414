#pragma once

#include <cstdint>

namespace pimsweep::hardware::aim {

/// Minimum distances between commands of a GDDR6-AiM channel, in clocks of its command bus.
struct Timing {
  /// Between column accesses, including columns written to the global buffer.
  std::int64_t nCCD = 0;
  /// From opening a row to its first multiplication, and the part of it that the multipliers take.
  std::int64_t pipeline = 0;
  std::int64_t nRCD = 0;
  std::int64_t nRP = 0;
  std::int64_t nRAS = 0;
  std::int64_t nRTP = 0;
  /// From the first to the last bank that opens its row; 0: all at once.
  std::int64_t opening = 0;
  /// Mode change between accesses to registers or the global buffer and work in all banks.
  std::int64_t mode_change = 0;
  /// Writing (WR_BIAS) and reading (RD_MAC) one result register of all banks.
  std::int64_t bias = 0;
  std::int64_t result = 0;
  std::int64_t nREFI = 0;
  std::int64_t nRFC = 0;
};

/// Energy of commands in J, and idle power of a channel in W.
struct Power {
  /// Opening and closing a row of one bank.
  double activate = 0;
  /// A column of all banks through the multipliers.
  double multiply = 0;
  /// A column read or written in one bank.
  double read = 0;
  double write = 0;
  /// A bit over the data pins, and number of bits per column.
  double pin_bit = 0;
  double column_bits = 0;
  double standby_active = 0;
  double standby_precharged = 0;
};

/// GDDR6 channels with a multiplier array and a register file at each bank and a global buffer of one row.
struct Device {
  /// Hz.
  double clock = 0;
  std::int64_t channels = 0;
  std::int64_t banks = 0;
  /// 16-bit elements per column and per row. The global buffer holds one row.
  std::int64_t lanes = 0;
  std::int64_t row_elements = 0;
  /// Number of results that the registers of a bank hold.
  std::int64_t registers = 0;
  Timing timing = {};
  Power power = {};
};

}  // namespace pimsweep::hardware::aim
