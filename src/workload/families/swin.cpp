#include <memory>

#include "base/integer_math.h"
#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

/// Swin Transformer: attention within windows, which are shifted by half a window in every second block, with a table
/// of relative position biases. Maps are padded to whole patches and windows, as for detection and segmentation.
class Swin final : public TransformerArchitecture {
 public:
  Swin(Hierarchy hierarchy, std::int64_t window) : hierarchy_(std::move(hierarchy)), window_(window) {}

  std::int64_t min_input_size() const override { return hierarchy_.stride(hierarchy_.stages.size() - 1); }

  OperatorGraph graph(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = padded_sides(hierarchy_, image_px);
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i) + 1;
      builder.enter(number, 0);
      x = i == 0 ? embed(builder, x, sides[0]) : merge(builder, x, sides[i], hierarchy_.stages[i].channels);
      for (std::int64_t block = 1; block <= hierarchy_.stages[i].blocks; ++block) {
        builder.enter(number, block);
        const OperatorId attention = attend_windows(builder, x, hierarchy_.stages[i].heads, block % 2 == 0);
        x = feed_forward(builder, builder.add(x, attention, "residual1"), hierarchy_.stages[i].hidden);
      }
    }
    classify(builder, x, hierarchy_.classes);
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = padded_sides(hierarchy_, image_px);
    std::vector<TransformerStage> result;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::int64_t patch = i == 0 ? hierarchy_.patch : 2;
      result.push_back(make_stage(hierarchy_, i, sides[i], patch * patch));
      EncoderBlocks blocks = window_blocks(hierarchy_.stages[i].blocks, sides[i], window_);
      if (sides[i] > window_) {
        // The map is sent to the shifted windows and back.
        blocks.interaction = {.kind = InteractionKind::shifted_windows,
                              .window = window_,
                              .shift = window_ / 2,
                              .times = 2 * (blocks.count / 2)};
      }
      result.back().blocks = {blocks};
    }
    return result;
  }

 private:
  OperatorId embed(GraphBuilder& builder, OperatorId image, std::int64_t side) const {
    const std::int64_t patch = hierarchy_.patch;
    const OperatorId padded = pad_map(builder, image, side * patch, side * patch);
    const OperatorId map =
        builder.convolution(padded, hierarchy_.stages[0].channels, {patch, patch, 0, 1}, "patch_embedding");
    return builder.layer_norm(map, "patch_norm");
  }

  static OperatorId merge(GraphBuilder& builder, OperatorId map, std::int64_t side, std::int64_t channels) {
    const std::int64_t inputs = 4 * builder.output(map).shape.back();
    const OperatorId padded = pad_map(builder, map, 2 * side, 2 * side);
    const OperatorId patches = builder.move(OperatorKind::reshape, padded, {side, side, inputs}, "patches");
    return builder.linear(builder.layer_norm(patches, "merging_norm"), channels, "patch_merging", false);
  }

  OperatorId attend_windows(GraphBuilder& builder, OperatorId map, std::int64_t heads, bool shifted) const {
    const std::vector<std::int64_t> shape = builder.output(map).shape;
    const std::int64_t side = shape[0];
    const std::int64_t padded = ceil_div(side, window_) * window_;
    // A map of a single window is not shifted.
    const bool shift = shifted && side > window_;
    OperatorId x = pad_map(builder, builder.layer_norm(map, "norm1"), padded, padded);
    if (shift) x = builder.roll(x);
    x = partition(builder, x, window_, window_);
    x = self_attention(builder, x, heads, (2 * window_ - 1) * (2 * window_ - 1) * heads);
    x = unpartition(builder, x, padded, padded, window_, window_);
    if (shift) x = builder.roll(x);
    return padded == side ? x : builder.move(OperatorKind::crop, x, shape, "crop");
  }

  Hierarchy hierarchy_;
  std::int64_t window_;
};

}  // namespace

std::unique_ptr<Architecture> read_swin(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 8);
  const std::int64_t window = reader.integer("window", {2, 256});
  return std::make_unique<Swin>(std::move(hierarchy), window);
}

}  // namespace pimsweep::workload::families
