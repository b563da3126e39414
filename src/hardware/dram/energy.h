#pragma once

#include "hardware/dram/dram.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// Energy in J by consumer, from the datasheet definitions of the currents (as in DRAMPower).
struct Energy {
  double activate = 0;  ///< ACT and the PRE that belongs to it
  double read = 0;
  double write = 0;
  double refresh = 0;
  double background = 0;
  double data = 0;  ///< data movement not covered by the currents

  double total() const { return activate + read + write + refresh + background + data; }
};

/// `channels`: the number of channels whose counts the result sums. A channel that finishes early waits with its banks
/// closed.
Energy energy(const Result& result, const Dram& dram, std::int64_t channels = 1);

}  // namespace pimsweep::hardware::dram
