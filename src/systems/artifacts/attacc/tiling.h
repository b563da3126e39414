#pragma once

#include <cstdint>

#include "systems/artifacts/attacc/machine.h"

namespace pimsweep::systems::artifacts::attacc {

/// `count` GEMMs of (rows x depth) by (depth x columns). Sizes may be fractional (Model::feed_forward_scale).
struct Product {
  double rows = 0;
  double columns = 0;
  double depth = 0;
  double count = 1;
  /// Products with weights are cut into thread blocks; of others each is a block.
  bool dense = true;
};

/// Bytes that GEMMs move, and the share of cores that their thread blocks use.
struct Tiling {
  double utilization = 0;
  double memory_bytes = 0;
  double cache_bytes = 0;
  double core_bytes = 0;
};

/// Share of cores that `blocks` thread blocks use, in waves of one a core.
double core_utilization(double blocks, const Gpu& gpu);

/// The artifact's search for tiles (devices.py:40-117 of AttAcc's artifact, commit c600051): the tile of a core with
/// the least cache traffic over the square of utilization, then multiples of it for the least traffic of the cache.
Tiling tiling(const Product& product, double value_bytes, const Gpu& gpu);

}  // namespace pimsweep::systems::artifacts::attacc
