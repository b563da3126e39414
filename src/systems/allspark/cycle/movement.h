#pragma once

#include <cstdint>

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

/// Words that every node at work receives over a path in equal steps, forwarding what it has received (Sec. V-B).
struct Movement {
  Path path = Path::heads;
  std::int64_t words = 0;
  std::int64_t steps = 1;
};

}  // namespace pimsweep::systems::allspark::cycle
