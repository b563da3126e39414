#pragma once

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// Closed-form estimate of the cost of traffic, in constant time: rows are visited in runs of hits, and the slowest of
/// bank, activations, data bus and request arrival determines the throughput; refreshes and bus turnarounds are added
/// (docs/dram.md). Fills only cycles, hits, misses, conflicts, commands and open clocks of the result. Ignores
/// `options.scheduler`.
Result estimate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

}  // namespace pimsweep::hardware::dram
