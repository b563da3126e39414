#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/integer_math.h"
#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

/// Side of the depthwise convolution of the locally enhanced position encoding (LePE).
constexpr std::int64_t lepe_kernel = 3;
constexpr ConvolutionWindow embedding_window{7, 4, 2, 1};
constexpr ConvolutionWindow merging_window{3, 2, 1, 1};

/// CSWin Transformer: half of the heads attend within horizontal stripes and half within vertical ones; a depthwise
/// convolution of the values encodes positions. If a stripe covers the whole map, all heads attend globally. Maps are
/// padded to whole stripes.
class Cswin final : public TransformerArchitecture {
 public:
  Cswin(Hierarchy hierarchy, std::vector<std::int64_t> stripes)
      : hierarchy_(std::move(hierarchy)), stripes_(std::move(stripes)) {}

  std::int64_t min_input_size() const override { return hierarchy_.stride(hierarchy_.stages.size() - 1); }

  OperatorGraph graph(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = map_sides(image_px);
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const StageParameters& stage = hierarchy_.stages[i];
      const auto number = static_cast<std::int64_t>(i) + 1;
      builder.enter(number, 0);
      x = i == 0 ? builder.convolution(x, stage.channels, embedding_window, "patch_embedding")
                 : builder.convolution(x, stage.channels, merging_window, "patch_merging");
      x = builder.layer_norm(x, "patch_norm");
      for (std::int64_t block = 1; block <= stage.blocks; ++block) {
        builder.enter(number, block);
        const OperatorId attention = attend_stripes(builder, builder.layer_norm(x, "norm1"), stage.heads, stripes_[i]);
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
      const std::int64_t width = std::min(stripes_[i], sides[i]);
      const ConvolutionWindow& window = i == 0 ? embedding_window : merging_window;
      EncoderBlocks blocks;
      blocks.kind = "stripe";
      blocks.count = hierarchy_.stages[i].blocks;
      blocks.branches = ceil_div(sides[i], width);
      blocks.tokens = width * sides[i];
      blocks.kv_tokens = blocks.tokens;
      blocks.kv_projected = blocks.tokens;
      blocks.local_macs = static_cast<double>(lepe_kernel * lepe_kernel);
      if (blocks.branches > 1) {
        blocks.interaction = {.kind = InteractionKind::crossed_stripes, .window = width, .times = blocks.count};
      }
      result.push_back(make_stage(hierarchy_, i, sides[i], window.kernel.area()));
      result.back().blocks = {blocks};
    }
    return result;
  }

 private:
  std::vector<std::int64_t> map_sides(std::int64_t image_px) const {
    std::vector<std::int64_t> sides{embedding_window.output(image_px).height};
    while (sides.size() < hierarchy_.stages.size()) sides.push_back(merging_window.output(sides.back()).height);
    return sides;
  }

  static OperatorId attend_stripes(GraphBuilder& builder, OperatorId map, std::int64_t heads, std::int64_t width) {
    const std::int64_t side = builder.output(map).shape[0];
    const std::int64_t channels = builder.output(map).shape.back();
    const OperatorId q = builder.linear(map, channels, "q");
    const OperatorId k = builder.linear(map, channels, "k");
    const OperatorId v = builder.linear(map, channels, "v");
    OperatorId context{};
    if (width >= side) {
      context = attend_within(builder, {q, k, v}, heads, side, side);
    } else {
      const std::vector<std::int64_t> half{side, side, channels / 2};
      const auto halves = [&] {
        return Projections{builder.move(OperatorKind::slice, q, half, "q_half"),
                           builder.move(OperatorKind::slice, k, half, "k_half"),
                           builder.move(OperatorKind::slice, v, half, "v_half")};
      };
      const OperatorId horizontal = attend_within(builder, halves(), heads / 2, width, side);
      const OperatorId vertical = attend_within(builder, halves(), heads / 2, side, width);
      context = builder.concat({horizontal, vertical}, {side, side, channels}, "stripes");
    }
    return builder.linear(context, channels, "projection");
  }

  struct Projections {
    OperatorId q = 0;
    OperatorId k = 0;
    OperatorId v = 0;
  };

  /// Attention within regions of `height` x `width` tokens, plus the position encoding of the values.
  static OperatorId attend_within(GraphBuilder& builder, Projections maps, std::int64_t heads, std::int64_t height,
                                  std::int64_t width) {
    const std::int64_t side = builder.output(maps.q).shape[0];
    const std::int64_t channels = builder.output(maps.q).shape.back();
    const OperatorId q = partition(builder, maps.q, height, width);
    const OperatorId k = partition(builder, maps.k, height, width);
    const OperatorId v = partition(builder, maps.v, height, width);
    const std::int64_t regions = builder.output(v).shape[0];
    const OperatorId attention = attend(builder, q, k, v, heads);
    const OperatorId values = builder.move(OperatorKind::reshape, v, {regions, height, width, channels}, "regions");
    const OperatorId position =
        builder.convolution(values, channels, {lepe_kernel, 1, lepe_kernel / 2, channels}, "position");
    const OperatorId flat =
        builder.move(OperatorKind::reshape, position, {regions, height * width, channels}, "position_tokens");
    const OperatorId sum = builder.add(attention, flat, "position_sum");
    return unpartition(builder, sum, side, side, height, width);
  }

  Hierarchy hierarchy_;
  std::vector<std::int64_t> stripes_;
};

}  // namespace

std::unique_ptr<Architecture> read_cswin(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 8);
  std::vector<std::int64_t> stripes = reader.integers("stripe_widths", {1, 256});
  const bool sound = reader.sound();
  for (std::size_t i = 0; sound && i < hierarchy.stages.size(); ++i) {
    if (hierarchy.stages[i].heads % 2 != 0 || hierarchy.stages[i].channels % 2 != 0) {
      reader.problem("heads",
                     fmt::format("'heads': stage {} needs an even number of heads, one half for each direction of "
                                 "the stripes",
                                 i + 1));
    }
  }
  if (sound && hierarchy.patch != embedding_window.stride) {
    reader.problem("patch",
                   fmt::format("'patch' must be {}, the stride of the first convolution", embedding_window.stride));
  }
  return std::make_unique<Cswin>(std::move(hierarchy), std::move(stripes));
}

}  // namespace pimsweep::workload::families
