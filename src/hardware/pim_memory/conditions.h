#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/dram/dram.h"

namespace pimsweep::hardware::pim_memory {

/// A memory that PIM has in place of its own, its heat, and the power that it may draw.
struct Conditions {
  /// A channel of the memory; without a clock period, PIM keeps its own memory.
  dram::Dram memory;
  /// Timing constraints of its standard (hardware/dram/constraints.h).
  std::string_view rules;
  /// Channels of a stack; 0: PIM keeps its number of channels.
  std::int64_t stack_channels = 0;
  /// Refreshes in each interval of the standard.
  std::int64_t refresh_rate = 1;
  /// W of the multiplications of a device; 0: no limit.
  double power_limit = 0;

  Conditions() { memory.tCK = 0; }
  bool has_memory() const { return memory.tCK > 0; }
};

}  // namespace pimsweep::hardware::pim_memory
