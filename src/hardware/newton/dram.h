#pragma once

#include <algorithm>
#include <cstdint>

namespace pimsweep::hardware::newton {

/// Energy of Newton's commands, in J.
struct Energy {
  double precharge_bank = 0;
  /// Opening a row of one bank.
  double activate_bank = 0;
  double refresh = 0;
  double gwrite = 0;
  double readres = 0;
  /// One 16-bit multiplication and addition.
  double multiply = 0;
  double add = 0;
  /// A column of the global buffer, for one bank.
  double buffer_read = 0;
  /// All columns of a row, for one bank.
  double row_read = 0;

  friend bool operator==(const Energy&, const Energy&) = default;
};

/// A DRAM channel with Newton's units. Times named n... are clocks of the command bus.
struct Dram {
  /// Hz.
  double clock = 0;
  std::int64_t nBL = 0;
  std::int64_t nCCD = 0;
  std::int64_t nCL = 0;
  std::int64_t nRCD = 0;
  std::int64_t nRP = 0;
  std::int64_t nRAS = 0;
  std::int64_t nRC = 0;
  std::int64_t nFAW = 0;
  std::int64_t nRTP = 0;
  std::int64_t nRFC = 0;
  std::int64_t nREFI = 0;
  /// GWRITE to COMP beyond nRC, COMP to READRES, READRES to GWRITE.
  std::int64_t gwrite_to_comp = 0;
  std::int64_t comp_to_readres = 0;
  std::int64_t readres_to_gwrite = 0;
  /// The artifact's simulator serves refreshes with this DRAM (it does not with HBM).
  bool refresh_served = true;
  std::int64_t banks = 0;
  /// Banks that one G_ACT opens.
  std::int64_t banks_per_activation = 0;
  /// Columns per row, and 16-bit elements per column, which is also the number of multipliers of a bank.
  std::int64_t columns = 0;
  std::int64_t lanes = 0;
  Energy energy;

  /// Multiply-accumulates in a second of a channel whose banks multiply all the time.
  double multiply_rate() const {
    return static_cast<double>(banks * lanes) * clock / static_cast<double>(std::max<std::int64_t>(1, nCCD));
  }
  std::int64_t row_elements() const { return columns * lanes; }
  /// Number of G_ACT commands that open a row in all banks (rounded up).
  std::int64_t activations() const { return (banks + banks_per_activation - 1) / banks_per_activation; }

  friend bool operator==(const Dram&, const Dram&) = default;
};

/// Maximum numbers of channels and of columns per row in the models.
inline constexpr std::int64_t max_channels = 128;
inline constexpr std::int64_t max_columns = 128;

}  // namespace pimsweep::hardware::newton
