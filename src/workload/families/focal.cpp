#include <memory>

#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

struct FocalParameters {
  std::int64_t window = 0;
  /// Tokens beyond each side of a window that it attends to at full resolution.
  std::int64_t expand = 0;
  /// For each stage, side of the region of pooled windows that a window attends to.
  std::vector<std::int64_t> focal_windows;
  /// Overlapping convolutions (7 x 7 / 4 and 3 x 3 / 2) instead of patches.
  bool convolutional_embedding = false;
};

/// Focal Transformer with two levels: a window attends to itself, to its surroundings at full resolution and to farther
/// windows, each pooled to one token by a linear layer over its positions. Maps are padded to whole windows.
class Focal final : public TransformerArchitecture {
 public:
  Focal(Hierarchy hierarchy, FocalParameters focal) : hierarchy_(std::move(hierarchy)), focal_(std::move(focal)) {}

  std::int64_t min_input_size() const override { return hierarchy_.stride(hierarchy_.stages.size() - 1); }

  OperatorGraph graph(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = map_sides(image_px);
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const StageParameters& stage = hierarchy_.stages[i];
      const auto number = static_cast<std::int64_t>(i) + 1;
      const ConvolutionWindow window = embedding(i);
      builder.enter(number, 0);
      if (!focal_.convolutional_embedding) x = pad_map(builder, x, sides[i] * window.stride, sides[i] * window.stride);
      x = builder.convolution(x, stage.channels, window, i == 0 ? "patch_embedding" : "patch_merging");
      x = builder.layer_norm(x, "patch_norm");
      for (std::int64_t block = 1; block <= stage.blocks; ++block) {
        builder.enter(number, block);
        const OperatorId attention = attend_focal(builder, x, i);
        x = feed_forward(builder, builder.add(x, attention, "residual1"), stage.hidden);
      }
    }
    classify(builder, x, hierarchy_.classes);
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = map_sides(image_px);
    std::vector<TransformerStage> result;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const ConvolutionWindow window = embedding(i);
      EncoderBlocks blocks = window_blocks(hierarchy_.stages[i].blocks, sides[i], focal_.window);
      blocks.kind = "focal window";
      blocks.kv_tokens = keys(i, sides[i]);
      // Each window pools itself to one token and projects its key and value.
      blocks.kv_projected = blocks.tokens + 1;
      blocks.local_macs = 1;
      if (blocks.branches > 1) {
        blocks.interaction = {.kind = InteractionKind::surroundings,
                              .window = focal_.window,
                              .expand = expand(sides[i]),
                              .focal_windows = focal_.focal_windows[i],
                              .times = blocks.count};
      }
      result.push_back(make_stage(hierarchy_, i, sides[i], window.kernel.area()));
      result.back().blocks = {blocks};
    }
    return result;
  }

 private:
  ConvolutionWindow embedding(std::size_t stage) const {
    if (focal_.convolutional_embedding)
      return stage == 0 ? ConvolutionWindow{7, 4, 2, 1} : ConvolutionWindow{3, 2, 1, 1};
    const std::int64_t patch = stage == 0 ? hierarchy_.patch : 2;
    return {patch, patch, 0, 1};
  }

  std::vector<std::int64_t> map_sides(std::int64_t image_px) const {
    if (!focal_.convolutional_embedding) return padded_sides(hierarchy_, image_px);
    std::vector<std::int64_t> sides;
    std::int64_t side = image_px;
    for (std::size_t i = 0; i < hierarchy_.stages.size(); ++i) sides.push_back(side = embedding(i).output(side).height);
    return sides;
  }

  /// A map of one window has no surroundings.
  std::int64_t expand(std::int64_t side) const { return side > focal_.window ? focal_.expand : 0; }

  /// Number of keys of a window: its tokens and its surroundings (a square with a margin), and the pooled windows.
  std::int64_t keys(std::size_t stage, std::int64_t side) const {
    const std::int64_t reach = focal_.window + 2 * expand(side);
    return reach * reach + focal_.focal_windows[stage] * focal_.focal_windows[stage];
  }

  /// Number of learned position biases of a block: by relative position within the window, for each pair of a token and
  /// a surrounding token, and by relative position to the pooled windows. The public implementation gathers the
  /// surroundings from four shifted windows and keeps w^2 - (w - e)^2 positions of each.
  std::int64_t bias_table(std::size_t stage, std::int64_t side) const {
    const std::int64_t w = focal_.window;
    const std::int64_t e = expand(side);
    const std::int64_t within = (2 * w - 1) * (2 * w - 1);
    const std::int64_t surroundings = w * w * 4 * (w * w - (w - e) * (w - e));
    const std::int64_t pooled_reach = w + focal_.focal_windows[stage] - 1;
    return (within + surroundings + pooled_reach * pooled_reach) * hierarchy_.stages[stage].heads;
  }

  OperatorId attend_focal(GraphBuilder& builder, OperatorId map, std::size_t stage) const {
    const std::int64_t side = builder.output(map).shape[0];
    const std::int64_t channels = builder.output(map).shape.back();
    const std::int64_t heads = hierarchy_.stages[stage].heads;
    const std::int64_t area = focal_.window * focal_.window;
    const OperatorId windows = partition(builder, builder.layer_norm(map, "norm1"), focal_.window, focal_.window);
    const std::int64_t count = builder.output(windows).shape[0];
    const OperatorId by_channel = builder.move(OperatorKind::reshape, windows, {count * channels, area}, "positions");
    const OperatorId pooled =
        builder.move(OperatorKind::reshape, builder.linear(by_channel, 1, "pooling"), {count, 1, channels}, "pooled");
    const OperatorId sources = builder.concat({windows, pooled}, {count, area + 1, channels}, "levels");
    const std::vector<std::int64_t> gathered{count, keys(stage, side), channels};
    const OperatorId q = builder.linear(windows, channels, "q");
    const OperatorId k =
        builder.move(OperatorKind::gather, builder.linear(sources, channels, "k"), gathered, "k_surroundings");
    const OperatorId v =
        builder.move(OperatorKind::gather, builder.linear(sources, channels, "v"), gathered, "v_surroundings");
    const OperatorId context = attend(builder, q, k, v, heads, bias_table(stage, side));
    const OperatorId projected = builder.linear(context, channels, "projection");
    return unpartition(builder, projected, side, side, focal_.window, focal_.window);
  }

  Hierarchy hierarchy_;
  FocalParameters focal_;
};

}  // namespace

std::unique_ptr<Architecture> read_focal(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 8);
  FocalParameters focal;
  focal.window = reader.integer("window", {2, 256});
  focal.expand = reader.integer("expand", {0, 256});
  focal.focal_windows = reader.integers("focal_windows", {1, 255});
  focal.convolutional_embedding = reader.boolean("convolutional_embedding");
  const bool sound = reader.sound();
  if (sound && focal.expand >= focal.window) {
    reader.problem("expand",
                   "'expand' must be smaller than 'window': surroundings come from the adjacent windows only");
  }
  if (sound && focal.convolutional_embedding && hierarchy.patch != 4) {
    reader.problem("patch", "'patch' must be 4 with convolutional_embedding, whose first convolution has stride 4");
  }
  return std::make_unique<Focal>(std::move(hierarchy), std::move(focal));
}

}  // namespace pimsweep::workload::families
