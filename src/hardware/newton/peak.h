#pragma once

#include <algorithm>

#include "hardware/newton/dram.h"

namespace pimsweep::hardware::newton {

/// Multiply-accumulates in a second of a channel whose banks multiply all the time.
inline double multiply_rate(const Dram& dram) {
  return static_cast<double>(dram.banks * dram.lanes) * dram.clock /
         static_cast<double>(std::max<std::int64_t>(1, dram.nCCD));
}

}  // namespace pimsweep::hardware::newton
