#pragma once

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// What a traffic takes by arithmetic, in a time that does not depend on its length: rows are visited in runs of hits,
/// and the slowest of bank, activations, data bus and offering of requests sets the pace; refreshes and turns of the
/// bus are added (docs/dram.md). Of the result only cycles, hits, misses, conflicts, commands and open clocks are
/// filled. `options.scheduler` does not matter to it.
Result estimate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

}  // namespace pimsweep::hardware::dram
