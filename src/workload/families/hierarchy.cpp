#include "workload/families/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/integer_math.h"

namespace pimsweep::workload::families {

Hierarchy read_hierarchy(ParameterReader& reader, std::int64_t max_stages) {
  // The upper bounds only reject mistyped numbers and keep counts within 64 bits.
  constexpr Range width_range{1, 65536};
  Hierarchy hierarchy;
  hierarchy.image_channels = reader.integer("image_channels", {1, 1024});
  hierarchy.classes = reader.integer("classes", {1, 1000000});
  hierarchy.patch = reader.integer("patch", {1, 256});
  const std::vector<std::int64_t> channels = reader.stages("channels", Range{1, max_stages}, width_range);
  const std::size_t count = channels.size();
  const std::vector<std::int64_t> blocks = reader.integers("blocks", {1, 1000});
  const std::vector<std::int64_t> heads = reader.integers("heads", width_range);
  const std::vector<double> mlp_ratio = reader.reals("mlp_ratio", 1, 64);
  const bool sound = reader.sound();
  for (std::size_t i = 0; i < count; ++i) {
    const double hidden = mlp_ratio[i] * static_cast<double>(channels[i]);
    if (sound && channels[i] % heads[i] != 0) {
      reader.problem("heads", fmt::format("'heads': {} heads of stage {} do not divide its {} channels", heads[i],
                                          i + 1, channels[i]));
    }
    if (sound && hidden != std::floor(hidden)) {
      reader.problem("mlp_ratio", fmt::format("'mlp_ratio': {} x {} channels of stage {} is not a whole number",
                                              mlp_ratio[i], channels[i], i + 1));
    }
    hierarchy.stages.push_back({channels[i], blocks[i], heads[i], mlp_ratio[i], std::llround(hidden)});
  }
  return hierarchy;
}

std::int64_t min_reducible_px(const Hierarchy& hierarchy, const std::vector<std::int64_t>& reductions) {
  std::int64_t px = 1;
  for (std::size_t i = 0; i < reductions.size(); ++i) px = std::max(px, hierarchy.stride(i) * reductions[i]);
  return px;
}

std::vector<std::int64_t> floor_sides(const Hierarchy& hierarchy, std::int64_t image_px) {
  std::vector<std::int64_t> sides;
  for (std::size_t stage = 0; stage < hierarchy.stages.size(); ++stage) {
    sides.push_back(image_px / hierarchy.stride(stage));
  }
  return sides;
}

std::vector<std::int64_t> padded_sides(const Hierarchy& hierarchy, std::int64_t image_px) {
  std::vector<std::int64_t> sides;
  for (std::size_t stage = 0; stage < hierarchy.stages.size(); ++stage) {
    sides.push_back(ceil_div(image_px, hierarchy.stride(stage)));
  }
  return sides;
}

TransformerStage make_stage(const Hierarchy& hierarchy, std::size_t stage, std::int64_t side, std::int64_t merge_area) {
  const StageParameters& parameters = hierarchy.stages[stage];
  TransformerStage result;
  result.channels = parameters.channels;
  result.heads = parameters.heads;
  result.mlp_ratio = parameters.mlp_ratio;
  result.height = side;
  result.width = side;
  result.merge_inputs = merge_area * (stage == 0 ? hierarchy.image_channels : hierarchy.stages[stage - 1].channels);
  return result;
}

EncoderBlocks window_blocks(std::int64_t count, std::int64_t side, std::int64_t window) {
  EncoderBlocks blocks;
  blocks.kind = "window";
  blocks.count = count;
  blocks.branches = ceil_div(side, window) * ceil_div(side, window);
  blocks.tokens = window * window;
  blocks.kv_tokens = blocks.tokens;
  blocks.kv_projected = blocks.tokens;
  return blocks;
}

}  // namespace pimsweep::workload::families
