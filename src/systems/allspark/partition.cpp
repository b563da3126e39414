#include "systems/allspark/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/integer_math.h"
#include "hardware/node_array/layout.h"

namespace pimsweep::systems::allspark {

std::string name_of(const Partition& partition) {
  return fmt::format("{}x{}", partition.head_split, partition.patch_split);
}

std::vector<std::int64_t> halving_splits(std::int64_t whole) {
  std::vector<std::int64_t> splits;
  for (std::int64_t split = whole; split > 1; split = hardware::ceil_div(split, 2)) splits.push_back(split);
  splits.push_back(1);
  std::reverse(splits.begin(), splits.end());
  return splits;
}

std::vector<Partition> candidate_partitions(std::int64_t heads, std::int64_t tokens, std::int64_t min_patch_chunk,
                                            std::int64_t node_rows, std::int64_t node_cols) {
  const std::vector<std::int64_t> patch_splits = halving_splits(hardware::ceil_div(tokens, min_patch_chunk));
  std::vector<Partition> candidates;
  for (const std::int64_t head_split : halving_splits(heads)) {
    for (const std::int64_t patch_split : patch_splits) {
      if (hardware::node_array::layout_capacity(node_rows, node_cols, head_split, patch_split) > 0) {
        candidates.push_back({head_split, patch_split, 1});
      }
    }
  }
  return candidates;
}

}  // namespace pimsweep::systems::allspark
