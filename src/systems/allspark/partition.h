#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/checked.h"

namespace pimsweep::systems::allspark {

/// Distribution of a branch over nodes: it takes head_split x patch_split nodes, and sharing_group neighboring
/// sub-arrays together store their common weights once (1 in Allspark's own schedules; docs/allspark.md on the
/// baselines).
struct Partition {
  std::int64_t head_split = 1;
  std::int64_t patch_split = 1;
  std::int64_t sharing_group = 1;

  std::int64_t nodes() const { return Count{head_split} * patch_split; }
  /// Number of nodes that use the same weights, each storing a part of them.
  std::int64_t weight_ring() const { return Count{patch_split} * sharing_group; }
  friend auto operator<=>(const Partition&, const Partition&) = default;
};

/// "4x2": head split x patch split, as Table V prints them.
std::string name_of(const Partition& partition);

/// {1, 2, ..., ceil(whole / 2), whole}: the results of repeated halving (rounding up) of `whole`, ascending
/// (U_s and V_s of Sec. VI-A).
std::vector<std::int64_t> halving_splits(std::int64_t whole);

/// All schemes of a stage, head splits outermost: splits of `heads` and of ceil(tokens / min_patch_chunk) chunks whose
/// sub-arrays fit the node array.
std::vector<Partition> candidate_partitions(std::int64_t heads, std::int64_t tokens, std::int64_t min_patch_chunk,
                                            std::int64_t node_rows, std::int64_t node_cols);

}  // namespace pimsweep::systems::allspark
