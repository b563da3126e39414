#pragma once

#include <cstdint>

namespace pimsweep::hardware::hbm_pim {

/// Minimum distances between commands of an HBM2 channel, in clocks.
struct Timing {
  std::int64_t nRL = 0;
  std::int64_t nWL = 0;
  /// Clocks of a burst on the data pins.
  std::int64_t nBL = 0;
  /// Between column accesses in one bank group, and in different bank groups.
  std::int64_t nCCDL = 0;
  std::int64_t nCCDS = 0;
  /// From opening a row to its first read, or write.
  std::int64_t nRCDRD = 0;
  std::int64_t nRCDWR = 0;
  std::int64_t nRP = 0;
  std::int64_t nRRDS = 0;
  /// From the first to the last bank that opens its row for a multiplication; 0: all at once.
  std::int64_t opening = 0;
  std::int64_t nRTP = 0;
  std::int64_t nWR = 0;
  /// From the end of written data to a read.
  std::int64_t nWTR = 0;
  /// Gap between the data of a read and of a write.
  std::int64_t nRTRS = 0;
  std::int64_t nREFI = 0;
  std::int64_t nRFC = 0;

  std::int64_t read_to_precharge() const { return nBL + (nRTP > nCCDL ? nRTP - nCCDL : 0); }
  std::int64_t write_to_precharge() const { return nWL + nBL + nWR; }
  std::int64_t read_to_write() const { return nRL + nBL + nRTRS - nWL; }
  std::int64_t write_to_read() const { return nWL + nBL + nWTR; }
};

/// Energy in J of a byte from the cells to the multipliers, of a byte of inputs or results that is written to the
/// banks, and of one multiplication.
struct Energy {
  double cells = 0;
  double writes = 0;
  double multiply = 0;
};

/// HBM2 channels with a unit of 16-bit multipliers per two banks, all of which work alike.
struct Device {
  /// Hz.
  double clock = 0;
  std::int64_t channels = 0;
  std::int64_t banks = 0;
  /// Units per channel, and multipliers per unit.
  std::int64_t units = 0;
  std::int64_t lanes = 0;
  /// Input and result registers of a unit, one burst each.
  std::int64_t input_registers = 0;
  std::int64_t result_registers = 0;
  /// Bursts per row.
  std::int64_t row_bursts = 0;
  Timing timing = {};
  Energy energy = {};

  static constexpr std::int64_t element_bytes = 2;
  /// Bytes that all units of a channel read or write at a time.
  double channel_bytes() const { return static_cast<double>(units * lanes * element_bytes); }
};

}  // namespace pimsweep::hardware::hbm_pim
