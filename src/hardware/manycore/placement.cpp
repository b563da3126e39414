#include "hardware/manycore/placement.h"

#include <algorithm>
#include <cmath>

#include "hardware/manycore/device.h"

namespace pimsweep::hardware::manycore {

Placement place(const Device& device, double threads, Affinity affinity) {
  const double all_tiles = std::ceil(device.cores / device.cores_per_tile);
  Placement result;
  result.threads = threads;
  result.cores = std::min(threads, device.cores);
  result.tiles = affinity == Affinity::compact ? std::ceil(result.cores / device.cores_per_tile)
                                               : std::min(result.cores, all_tiles);
  result.threads_per_core = std::ceil(threads / result.cores);
  result.threads_per_tile = std::ceil(result.cores / result.tiles) * result.threads_per_core;
  return result;
}

}  // namespace pimsweep::hardware::manycore
