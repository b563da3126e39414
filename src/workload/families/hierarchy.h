#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/parameter_reader.h"
#include "workload/vision_transformer.h"

namespace pimsweep::workload::families {

/// Parameters of a stage common to all families.
struct StageParameters {
  std::int64_t channels = 0;
  std::int64_t blocks = 0;
  std::int64_t heads = 0;
  double mlp_ratio = 0;
  /// Inner width of the feed-forward network: mlp_ratio x channels.
  std::int64_t hidden = 0;
};

/// Parameters common to all families: image patches, stages of blocks, a classifier.
struct Hierarchy {
  std::int64_t image_channels = 0;
  std::int64_t classes = 0;
  /// Side of a patch in pixels.
  std::int64_t patch = 0;
  std::vector<StageParameters> stages;

  /// Side of a token in pixels, in a stage numbered from 0: every stage except the first halves the map.
  std::int64_t stride(std::size_t stage) const { return patch << stage; }
};

/// Reads image_channels, classes, patch, channels, blocks, heads and mlp_ratio, for up to `max_stages` stages.
Hierarchy read_hierarchy(ParameterReader& reader, std::int64_t max_stages);

/// Sides of the square maps of all stages if incomplete patches are dropped (floor) or padded.
std::vector<std::int64_t> floor_sides(const Hierarchy& hierarchy, std::int64_t image_px);
std::vector<std::int64_t> padded_sides(const Hierarchy& hierarchy, std::int64_t image_px);

/// The smallest image that leaves every stage at least one token after sub-sampling by its side R in `reductions`.
std::int64_t min_reducible_px(const Hierarchy& hierarchy, const std::vector<std::int64_t>& reductions);

/// A stage without its blocks. `merge_area` is the number of positions of the previous stage, or of the image, from
/// which one token is projected.
TransformerStage make_stage(const Hierarchy& hierarchy, std::size_t stage, std::int64_t side, std::int64_t merge_area);

/// Blocks of windows of `window` x `window` tokens, each a branch, on a square map padded to whole windows.
EncoderBlocks window_blocks(std::int64_t count, std::int64_t side, std::int64_t window);

}  // namespace pimsweep::workload::families
