#include <memory>

#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

/// Vision Transformer: one stage of global attention over patches and a class token. The image is cropped to whole
/// patches, and position embeddings are resized to the map. A distilled model (DeiT, Touvron et al., arXiv 2012.12877)
/// has a second such token with a separate classifier.
class Vit final : public TransformerArchitecture {
 public:
  Vit(Hierarchy hierarchy, bool distilled) : hierarchy_(std::move(hierarchy)), learned_tokens_(distilled ? 2 : 1) {}

  std::int64_t min_input_size() const override { return hierarchy_.patch; }

  OperatorGraph graph(std::int64_t image_px) const override {
    const StageParameters& stage = hierarchy_.stages[0];
    const std::int64_t patch = hierarchy_.patch;
    const std::int64_t side = floor_sides(hierarchy_, image_px)[0];
    const std::int64_t tokens = side * side + learned_tokens_;
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    builder.enter(1, 0);
    if (side * patch != image_px) {
      x = builder.move(OperatorKind::crop, x, {side * patch, side * patch, hierarchy_.image_channels}, "crop");
    }
    x = builder.convolution(x, stage.channels, {patch, patch, 0, 1}, "patch_embedding");
    x = builder.move(OperatorKind::reshape, x, {side * side, stage.channels}, "tokens");
    x = builder.concat({x}, {tokens, stage.channels}, "class_token", learned_tokens_ * stage.channels);
    x = builder.add_learned(x, tokens * stage.channels, "position_embedding");
    for (std::int64_t block = 1; block <= stage.blocks; ++block) {
      builder.enter(1, block);
      const OperatorId attention = self_attention(builder, builder.layer_norm(x, "norm1"), stage.heads);
      x = feed_forward(builder, builder.add(x, attention, "residual1"), stage.hidden);
    }
    builder.enter(0, 0);
    const OperatorId normal = builder.layer_norm(x, "norm");
    const auto classify = [&](std::string_view token, std::string_view classifier) {
      x = builder.move(OperatorKind::slice, normal, {1, stage.channels}, token);
      return builder.linear(x, hierarchy_.classes, classifier);
    };
    const OperatorId scores = classify("class_token", "classifier");
    if (learned_tokens_ > 1) {
      builder.add(scores, classify("distillation_token", "distillation_classifier"), "mean_of_classifiers");
    }
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t image_px) const override {
    const std::int64_t side = floor_sides(hierarchy_, image_px)[0];
    TransformerStage stage = make_stage(hierarchy_, 0, side, hierarchy_.patch * hierarchy_.patch);
    EncoderBlocks blocks;
    blocks.kind = "global";
    blocks.count = hierarchy_.stages[0].blocks;
    blocks.tokens = side * side + learned_tokens_;
    blocks.kv_tokens = blocks.tokens;
    blocks.kv_projected = blocks.tokens;
    stage.blocks = {blocks};
    return {stage};
  }

 private:
  Hierarchy hierarchy_;
  /// The class token, and that of distillation.
  std::int64_t learned_tokens_;
};

}  // namespace

std::unique_ptr<Architecture> read_vit(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 1);
  const bool distilled = reader.has("distilled") && reader.boolean("distilled");
  return std::make_unique<Vit>(std::move(hierarchy), distilled);
}

}  // namespace pimsweep::workload::families
