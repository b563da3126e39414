#include <memory>

#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

/// Pyramid Vision Transformer, version 1: global attention over keys and values that a strided convolution sub-samples
/// (spatial-reduction attention). The class token is added in the last stage; incomplete patches are dropped.
class Pvt final : public TransformerArchitecture {
 public:
  Pvt(Hierarchy hierarchy, std::vector<std::int64_t> reductions)
      : hierarchy_(std::move(hierarchy)), reductions_(std::move(reductions)) {}

  std::int64_t min_input_size() const override { return min_reducible_px(hierarchy_, reductions_); }

  OperatorGraph graph(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = floor_sides(hierarchy_, image_px);
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const StageParameters& stage = hierarchy_.stages[i];
      const auto number = static_cast<std::int64_t>(i) + 1;
      const std::int64_t patch = i == 0 ? hierarchy_.patch : 2;
      const std::int64_t tokens = tokens_of(i, sides[i]);
      builder.enter(number, 0);
      x = builder.convolution(x, stage.channels, {patch, patch, 0, 1}, i == 0 ? "patch_embedding" : "patch_merging");
      x = builder.move(OperatorKind::reshape, x, {sides[i] * sides[i], stage.channels}, "tokens");
      x = builder.layer_norm(x, "patch_norm");
      if (is_last(i)) x = builder.concat({x}, {tokens, stage.channels}, "class_token", stage.channels);
      x = builder.add_learned(x, tokens * stage.channels, "position_embedding");
      for (std::int64_t block = 1; block <= stage.blocks; ++block) {
        builder.enter(number, block);
        const OperatorId normed = builder.layer_norm(x, "norm1");
        const OperatorId attention = reduced_attention(builder, normed, stage.heads, sides[i], reductions_[i]);
        x = feed_forward(builder, builder.add(x, attention, "residual1"), stage.hidden);
      }
      if (!is_last(i)) {
        builder.enter(number, 0);
        x = builder.move(OperatorKind::reshape, x, {sides[i], sides[i], stage.channels}, "map");
      }
    }
    builder.enter(0, 0);
    x = builder.move(OperatorKind::slice, builder.layer_norm(x, "norm"), {1, hierarchy_.stages.back().channels},
                     "class_token");
    builder.linear(x, hierarchy_.classes, "classifier");
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = floor_sides(hierarchy_, image_px);
    std::vector<TransformerStage> result;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::int64_t patch = i == 0 ? hierarchy_.patch : 2;
      const std::int64_t reduced = sides[i] / reductions_[i];
      EncoderBlocks blocks;
      blocks.kind = reductions_[i] > 1 ? "global sub-sampled" : "global";
      blocks.count = hierarchy_.stages[i].blocks;
      blocks.tokens = tokens_of(i, sides[i]);
      blocks.kv_tokens = reductions_[i] > 1 ? reduced * reduced : blocks.tokens;
      blocks.kv_projected = blocks.kv_tokens;
      blocks.reduction = reductions_[i];
      result.push_back(make_stage(hierarchy_, i, sides[i], patch * patch));
      result.back().blocks = {blocks};
    }
    return result;
  }

 private:
  bool is_last(std::size_t stage) const { return stage + 1 == hierarchy_.stages.size(); }
  std::int64_t tokens_of(std::size_t stage, std::int64_t side) const { return side * side + (is_last(stage) ? 1 : 0); }

  Hierarchy hierarchy_;
  std::vector<std::int64_t> reductions_;
};

}  // namespace

std::unique_ptr<Architecture> read_pvt(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 8);
  std::vector<std::int64_t> reductions = reader.integers("reduction", {1, 64});
  if (reductions.back() != 1) {
    reader.problem("reduction", "'reduction' of the last stage must be 1: its class token is not part of the map");
  }
  return std::make_unique<Pvt>(std::move(hierarchy), std::move(reductions));
}

}  // namespace pimsweep::workload::families
