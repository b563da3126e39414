#pragma once

#include "hardware/dram/dram.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// Energy in J by consumer, from the datasheets' definitions of the currents (as in DRAMPower).
struct Energy {
  double activate = 0;  ///< ACT with the PRE that belongs to it
  double read = 0;
  double write = 0;
  double refresh = 0;
  double background = 0;
  double data = 0;  ///< data movement that the currents leave out

  double total() const { return activate + read + write + refresh + background + data; }
};

/// `channels`: those whose counts the result sums up. One that is done before the last waits with its banks closed.
Energy energy(const Result& result, const Dram& dram, std::int64_t channels = 1);

}  // namespace pimsweep::hardware::dram
