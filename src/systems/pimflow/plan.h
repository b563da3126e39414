#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "systems/pimflow/costs.h"

namespace pimsweep::systems::pimflow {

enum class Mode : std::uint8_t { gpu, pim, split, pipeline };
inline constexpr Words<Mode, 4> mode_words{
    {{"gpu", Mode::gpu}, {"pim", Mode::pim}, {"split", Mode::split}, {"pipeline", Mode::pipeline}}};

/// The decision for a node.
struct Decision {
  Mode mode = Mode::gpu;
  /// Rows of the output that the GPU computes; PIM has the rest.
  std::int64_t gpu_rows = 0;
  /// Part of the usage's seconds that belongs to a sum or product after the node.
  double merged_seconds = 0;
  /// In a pipeline: a share of its usage, in proportion to the times that the nodes take alone.
  Usage usage;
};

/// Consecutive nodes whose stages overlap on GPU and PIM.
struct Pipeline {
  std::string_view pattern;
  std::vector<std::size_t> nodes;
  std::int64_t stages = 0;
  Usage usage;
  /// Seconds of the nodes in sequence, each in its best mode.
  double apart = 0;
  bool chosen = false;
};

/// The plan of a network.
struct Plan {
  /// One for each node of the network.
  std::vector<Decision> decisions;
  /// All pipelines that were tried, chosen or not.
  std::vector<Pipeline> pipelines;
  Usage total;
};

}  // namespace pimsweep::systems::pimflow
