#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "systems/allspark/placement/placement_problem.h"

namespace pimsweep::systems::allspark {

inline std::int64_t pick(std::mt19937_64& random, std::int64_t min, std::int64_t max) {
  return std::uniform_int_distribution<std::int64_t>(min, max)(random);
}

/// A stage of windows, shifted or with surroundings, on a map of `side` windows.
inline std::pair<workload::TransformerStage, workload::EncoderBlocks> random_windows(std::mt19937_64& random,
                                                                                     std::int64_t side) {
  workload::TransformerStage stage;
  workload::EncoderBlocks blocks;
  const bool shifted = pick(random, 0, 1) == 0;
  workload::Interaction& interaction = blocks.interaction;
  interaction.kind = shifted ? workload::InteractionKind::shifted_windows : workload::InteractionKind::surroundings;
  interaction.window = pick(random, 2, 9);
  interaction.shift = interaction.window / 2;
  interaction.expand = pick(random, 0, interaction.window - 1);
  interaction.focal_windows = 2 * pick(random, 0, 2) + 1;
  interaction.times = 1;
  // The last window may be ragged.
  stage.height = stage.width = side * interaction.window - pick(random, 0, interaction.window - 1);
  stage.channels = pick(random, 1, 40);
  blocks.branches = side * side;
  blocks.tokens = interaction.window * interaction.window;
  return {stage, blocks};
}

/// Layers of random sub-arrays that take all branches, on rows x cols nodes.
inline std::vector<placement::LayerShape> random_layers(std::mt19937_64& random, std::int64_t branches,
                                                        std::int64_t rows, std::int64_t cols) {
  std::vector<placement::LayerShape> layers;
  while (branches > 0) {
    placement::LayerShape layer{pick(random, 1, std::min<std::int64_t>(rows, 3)),
                                pick(random, 1, std::min<std::int64_t>(cols, 3)), 0};
    layer.branches = std::min(branches, hardware::node_array::layout_capacity(rows, cols, layer.height, layer.width));
    branches -= layer.branches;
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace pimsweep::systems::allspark
