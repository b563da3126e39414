#pragma once

#include <cstdint>

#include "hardware/pe_array/gemm_mapper.h"
#include "systems/allspark/cycle/movement.h"
#include "systems/allspark/partition.h"

namespace pimsweep::systems::allspark::cycle {

/// Timing of the phases of a temporal layer with DRAM rows, refresh and shared links, by formula or simulation.
class PhaseTimes {
 public:
  virtual ~PhaseTimes() = default;

  /// A GEMM: computation and DRAM accesses overlap, so that the longer one counts.
  virtual std::int64_t product_cycles(const hardware::pe_array::Gemm& gemm,
                                      const hardware::pe_array::GemmMapping& mapping) = 0;

  /// A movement in all sub-arrays of a temporal layer at once. Each step reads a chunk from DRAM, sends it, and writes
  /// what arrived; `branches` sub-arrays are at work.
  virtual std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) = 0;
};

}  // namespace pimsweep::systems::allspark::cycle
