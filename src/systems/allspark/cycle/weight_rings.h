#pragma once

#include <cstdint>
#include <vector>

#include "hardware/node_array/layout.h"
#include "systems/allspark/partition.h"

namespace pimsweep::systems::allspark::cycle {

/// Row and column of a node in the array, from 0.
struct NodePlace {
  std::int64_t row = 0;
  std::int64_t col = 0;
};

/// The first sub-arrays of the structured layout, at most `count`, row by row, every other row from right to left, so
/// that successors are neighbors.
std::vector<hardware::node_array::SubArray> sub_arrays_in_snake_order(std::int64_t node_rows, std::int64_t node_cols,
                                                                      const Partition& partition, std::int64_t count);

/// The node of a group of heads and a group of patches; heads run along the side whose length is the head split.
NodePlace node_of(const hardware::node_array::SubArray& nodes, const Partition& partition, std::int64_t head,
                  std::int64_t patch);

/// The nodes that share the weights of a group of heads, through all sub-arrays of a sharing group, in the order in
/// which chunks go around.
std::vector<NodePlace> weight_ring(const std::vector<hardware::node_array::SubArray>& places,
                                   const Partition& partition, std::int64_t head);

}  // namespace pimsweep::systems::allspark::cycle
