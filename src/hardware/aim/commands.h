#pragma once

#include <cstdint>

#include "base/checked.h"
#include "hardware/aim/device.h"

namespace pimsweep::hardware::aim {

/// Issued commands, named as in the simulator published by AiM's designers (aim_simulator, GDDR6.cpp): the suffix 16
/// marks commands for all banks of a channel.
struct Commands {
  Count act = 0;
  Count act16 = 0;
  Count prea = 0;
  /// Columns read and written in one bank.
  Count rd = 0;
  Count wr = 0;
  Count mac16 = 0;
  /// Columns written to the global buffer, copied to it and copied from it.
  Count wrgb = 0;
  Count rdcp = 0;
  Count wrcp = 0;
  Count rdmac16 = 0;
  Count wrmac16 = 0;
  Count af16 = 0;
  Count rdaf16 = 0;
  Count ewmul16 = 0;
  Count wra16 = 0;
  Count tmod = 0;
  Count refab = 0;

  Commands& operator+=(const Commands& other);
  /// Commands of `channels` equal channels.
  friend Commands operator*(const Commands& commands, std::int64_t channels);
  friend bool operator==(const Commands&, const Commands&) = default;

  /// Columns that cross the data pins.
  Count pin_columns() const { return rd + wr + wrgb + rdmac16 + rdaf16 + wrmac16 + wra16; }
};

/// Energy in J by consumer.
struct Energy {
  double activate = 0;
  double multiply = 0;
  double read = 0;
  double write = 0;
  double pins = 0;
  double standby = 0;

  double total() const { return activate + multiply + read + write + pins + standby; }
};

/// Energy of commands in their banks and on the pins, without standby (CENT, cent_power_calculator.py:187-193, commit
/// 8c79786): a register access counts as a column of one bank, and an element-wise multiplication uses a quarter of the
/// multipliers.
Energy energy(const Commands& commands, const Device& device);

}  // namespace pimsweep::hardware::aim
