#pragma once

#include <cstdint>

namespace pimsweep::hardware::aim {

/// Distances between commands of a GDDR6-AiM channel, in clocks of its command bus.
struct Timing {
  /// A column access after another one: also a column of the global buffer that is written.
  std::int64_t nCCD = 0;
  /// Opening a row to its first multiplication.
  std::int64_t nRCD = 0;
  std::int64_t nRP = 0;
  std::int64_t nRAS = 0;
  std::int64_t nRTP = 0;
  /// Change between accesses to registers or the global buffer and work in all banks.
  std::int64_t mode_change = 0;
  /// Writing (WR_BIAS) and reading (RD_MAC) one result register of all banks.
  std::int64_t bias = 0;
  std::int64_t result = 0;
  std::int64_t nREFI = 0;
  std::int64_t nRFC = 0;
};

/// Energy of commands in J, power of a channel at rest in W.
struct Power {
  /// Opening and closing a row of one bank.
  double activate = 0;
  /// A column of all banks through the multipliers.
  double multiply = 0;
  /// A column read or written in one bank.
  double read = 0;
  double write = 0;
  /// A bit over the data pins, and bits of a column.
  double pin_bit = 0;
  double column_bits = 0;
  double standby_active = 0;
  double standby_precharged = 0;
};

/// GDDR6 channels with a multiplier array and a register file at every bank and a global buffer of one row.
struct Device {
  /// Hz.
  double clock = 0;
  std::int64_t channels = 0;
  std::int64_t banks = 0;
  /// 16-bit elements of a column and of a row. The global buffer holds a row.
  std::int64_t lanes = 0;
  std::int64_t row_elements = 0;
  /// Results that a bank's registers hold.
  std::int64_t registers = 0;
  Timing timing = {};
  Power power = {};
};

}  // namespace pimsweep::hardware::aim
