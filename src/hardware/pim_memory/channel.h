#pragma once

#include <cstdint>

#include "hardware/pim_memory/conditions.h"

namespace pimsweep::hardware::pim_memory {

/// Rows that may open within tFAW.
inline constexpr std::int64_t window_rows = 4;

/// A channel as commands of PIM see it: all times in slots of its command bus, each of which has one command.
struct Channel {
  /// Slots in a second.
  double clock = 0;
  dram::Timing timing;
  dram::Organization organization;
  std::int64_t read_to_write = 0;

  /// Throws PointError if the rules cannot be read.
  explicit Channel(const Conditions& conditions);

  std::int64_t domain_banks() const { return organization.groups * organization.banks; }
  std::int64_t row_bytes() const { return organization.columns * organization.access_bytes; }
  /// All banks at once.
  std::int64_t precharge() const;
  /// Between openings of four rows each in a rank or pseudo-channel; 0: all open at once.
  std::int64_t four_rows() const;
  /// From the first to the last bank that opens its row.
  std::int64_t opening() const;
};

}  // namespace pimsweep::hardware::pim_memory
