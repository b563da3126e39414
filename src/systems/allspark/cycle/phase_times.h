#pragma once

#include <cstdint>

#include "hardware/pe_array/gemm_mapper.h"
#include "systems/allspark/partition.h"

namespace pimsweep::systems::allspark::cycle {

/// Which nodes exchange words in a transfer.
enum class Path : std::uint8_t {
  /// Ring of the nodes of a sub-array with the same patches, one for each group of heads.
  heads,
  /// Ring of the nodes of a sub-array with the same heads, one for each group of patches.
  patches,
  /// Ring of all nodes with the same weights: as `patches`, but through all sub-arrays of a sharing group.
  weights,
  /// From each node to its counterpart in the next sub-array; the first sub-array receives nothing.
  next_branch
};

/// Words that every active node receives over a path in equal steps, forwarding what it has received (Sec. V-B).
struct Movement {
  Path path = Path::heads;
  std::int64_t words = 0;
  std::int64_t steps = 1;
};

/// Timing of the phases of a temporal layer with DRAM rows, refresh and shared links, by formula or simulation.
class PhaseTimes {
 public:
  virtual ~PhaseTimes() = default;

  /// A GEMM: computation and DRAM accesses overlap, so that the longer one counts.
  virtual std::int64_t gemm_cycles(const hardware::pe_array::Gemm& gemm,
                                   const hardware::pe_array::GemmMapping& mapping) = 0;

  /// A movement in all sub-arrays of a temporal layer at once. Each step reads a chunk from DRAM, sends it, and writes
  /// the chunk that arrived; `branches` sub-arrays are active.
  virtual std::int64_t movement_cycles(const Partition& partition, std::int64_t branches, const Movement& movement) = 0;
};

}  // namespace pimsweep::systems::allspark::cycle
