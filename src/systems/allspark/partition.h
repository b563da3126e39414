#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pimsweep::systems::allspark {

/// How the weights and the work of a branch lie on nodes: head_split x patch_split nodes for each branch, and the
/// weights that sharing_group neighboring sub-arrays have in common stored once among them (1 in Allspark's own
/// schedules; see docs/allspark.md on the baselines).
struct Partition {
  std::int64_t head_split = 1;
  std::int64_t patch_split = 1;
  std::int64_t sharing_group = 1;

  std::int64_t nodes() const { return head_split * patch_split; }
  /// Nodes that hold the same weights, each a part of them.
  std::int64_t weight_ring() const { return patch_split * sharing_group; }
  friend auto operator<=>(const Partition&, const Partition&) = default;
};

/// "4x2": head split x patch split, as Table V prints them.
std::string name_of(const Partition& partition);

/// {1, 2, ..., ceil(whole / 2), whole}: the splits that repeated halving (rounding up) of `whole` gives, ascending
/// (U_s and V_s of Sec. VI-A).
std::vector<std::int64_t> halving_splits(std::int64_t whole);

/// All schemes of a stage, head splits outermost: splits of `heads` and of ceil(tokens / min_patch_chunk) chunks whose
/// sub-arrays fit the node array.
std::vector<Partition> candidate_partitions(std::int64_t heads, std::int64_t tokens, std::int64_t min_patch_chunk,
                                            std::int64_t node_rows, std::int64_t node_cols);

}  // namespace pimsweep::systems::allspark
