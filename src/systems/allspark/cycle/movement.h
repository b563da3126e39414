#pragma once

#include <cstdint>

namespace pimsweep::systems::allspark::cycle {

/// Which nodes hand words to each other in a transfer.
enum class Path : std::uint8_t {
  /// Ring of the nodes of a sub-array with the same patches, one for each group of heads.
  heads,
  /// Ring of the nodes of a sub-array with the same heads, one for each group of patches.
  patches,
  /// Ring of all nodes with the same weights: that of `patches`, through all sub-arrays of a sharing group.
  weights,
  /// From each node to the node of the same number in the next sub-array; nobody hands to the first one.
  next_branch
};

/// Words that every node at work receives over a path, in equal steps: what it received it hands on (Sec. V-B).
struct Movement {
  Path path = Path::heads;
  std::int64_t words = 0;
  std::int64_t steps = 1;
};

}  // namespace pimsweep::systems::allspark::cycle
