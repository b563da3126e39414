#include <memory>

#include "base/integer_math.h"
#include "workload/families/architecture.h"
#include "workload/families/hierarchy.h"
#include "workload/families/layers.h"

namespace pimsweep::workload::families {

namespace {

/// Side of the depthwise convolution of the conditional position encoding (PEG).
constexpr std::int64_t peg_kernel = 3;

/// Twins-SVT: blocks alternate between attention within windows (LSA) and global attention over sub-sampled keys and
/// values (GSA). After the first block of a stage, a depthwise convolution encodes positions. Maps are padded to whole
/// windows for LSA; incomplete patches are dropped.
class TwinsSvt final : public TransformerArchitecture {
 public:
  TwinsSvt(Hierarchy hierarchy, std::int64_t window, std::vector<std::int64_t> reductions)
      : hierarchy_(std::move(hierarchy)), window_(window), reductions_(std::move(reductions)) {}

  std::int64_t min_input_size() const override { return min_reducible_px(hierarchy_, reductions_); }

  OperatorGraph graph(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = floor_sides(hierarchy_, image_px);
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, hierarchy_.image_channels}, "image");
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const StageParameters& stage = hierarchy_.stages[i];
      const auto number = static_cast<std::int64_t>(i) + 1;
      const std::int64_t patch = i == 0 ? hierarchy_.patch : 2;
      builder.enter(number, 0);
      x = builder.convolution(x, stage.channels, {patch, patch, 0, 1}, i == 0 ? "patch_embedding" : "patch_merging");
      x = builder.layer_norm(x, "patch_norm");
      for (std::int64_t block = 1; block <= stage.blocks; ++block) {
        builder.enter(number, block);
        const OperatorId normed = builder.layer_norm(x, "norm1");
        const OperatorId attention =
            block % 2 == 1 ? attend_windows(builder, normed, stage.heads) : attend_globally(builder, normed, i);
        x = feed_forward(builder, builder.add(x, attention, "residual1"), stage.hidden);
        if (block == 1) {
          const OperatorId position =
              builder.convolution(x, stage.channels, {peg_kernel, 1, peg_kernel / 2, stage.channels}, "position");
          x = builder.add(x, position, "position_sum");
        }
      }
    }
    classify(builder, x, hierarchy_.classes);
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t image_px) const override {
    const std::vector<std::int64_t> sides = floor_sides(hierarchy_, image_px);
    std::vector<TransformerStage> result;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::int64_t patch = i == 0 ? hierarchy_.patch : 2;
      const std::int64_t count = hierarchy_.stages[i].blocks;
      const std::int64_t reduced = sides[i] / reductions_[i];
      EncoderBlocks local = window_blocks((count + 1) / 2, sides[i], window_);
      // One convolution for each stage, spread over the stage's window blocks.
      local.local_macs = static_cast<double>(peg_kernel * peg_kernel) / static_cast<double>(local.count);
      EncoderBlocks global = window_blocks(count / 2, sides[i], window_);
      global.kind = "global sub-sampled";
      global.kv_tokens = reduced * reduced;
      global.kv_projected = ceil_div(global.kv_tokens, global.branches);
      global.reduction = reductions_[i];
      if (global.branches > 1) {
        global.interaction = {.kind = InteractionKind::shared_keys, .window = window_, .times = global.count};
      }
      result.push_back(make_stage(hierarchy_, i, sides[i], patch * patch));
      result.back().blocks = {local};
      if (global.count > 0) result.back().blocks.push_back(global);
    }
    return result;
  }

 private:
  OperatorId attend_windows(GraphBuilder& builder, OperatorId map, std::int64_t heads) const {
    const std::int64_t side = builder.output(map).shape[0];
    const OperatorId windows = partition(builder, map, window_, window_);
    return unpartition(builder, self_attention(builder, windows, heads), side, side, window_, window_);
  }

  OperatorId attend_globally(GraphBuilder& builder, OperatorId map, std::size_t stage) const {
    const std::vector<std::int64_t> shape = builder.output(map).shape;
    const OperatorId tokens = builder.move(OperatorKind::reshape, map, {shape[0] * shape[1], shape[2]}, "tokens");
    const OperatorId attention =
        reduced_attention(builder, tokens, hierarchy_.stages[stage].heads, shape[0], reductions_[stage]);
    return builder.move(OperatorKind::reshape, attention, shape, "map");
  }

  Hierarchy hierarchy_;
  std::int64_t window_;
  std::vector<std::int64_t> reductions_;
};

}  // namespace

std::unique_ptr<Architecture> read_twins_svt(ParameterReader& reader) {
  Hierarchy hierarchy = read_hierarchy(reader, 8);
  const std::int64_t window = reader.integer("window", {2, 256});
  std::vector<std::int64_t> reductions = reader.integers("reduction", {1, 64});
  return std::make_unique<TwinsSvt>(std::move(hierarchy), window, std::move(reductions));
}

}  // namespace pimsweep::workload::families
