#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pimsweep::workload {

/// Which data of other branches the branches of a block need (local-global interaction, Allspark, Sec. III-A).
enum class InteractionKind : std::uint8_t {
  none,
  shifted_windows,  ///< Swin: every second block cuts the map into windows shifted by `shift` tokens, cyclically
  shared_keys,      ///< Twins: every branch attends to the sub-sampled keys and values of all branches
  surroundings,     ///< Focal: to tokens around its window and to windows further away, pooled to one token each
  crossed_stripes   ///< CSWin: a horizontal stripe and a vertical one, so that it needs a square of every branch
};

struct Interaction {
  InteractionKind kind = InteractionKind::none;
  /// Side of a branch's window in tokens; width of a stripe.
  std::int64_t window = 0;
  /// shifted_windows: tokens by which windows are shifted.
  std::int64_t shift = 0;
  /// surroundings: tokens beyond each side of the window, and side of the region of pooled windows.
  std::int64_t expand = 0;
  std::int64_t focal_windows = 0;
  /// How often branches exchange data in all blocks together.
  std::int64_t times = 0;
};

/// The encoder blocks of one kind within a stage. All counts are for one image.
struct EncoderBlocks {
  /// How many encoder blocks of this kind the stage has.
  std::int64_t count = 0;
  /// Independent local regions (computational branches) of one block; 1 for global attention.
  std::int64_t branches = 1;
  /// Tokens of a branch, padding included (window 7x7: 49).
  std::int64_t tokens = 0;
  /// Keys and values that each query attends to (equal to tokens for plain local attention).
  std::int64_t kv_tokens = 0;
  /// Tokens for which a branch itself computes keys and values (tokens for local attention, the branch's share of the
  /// sub-sampled tokens for global sub-sampled attention).
  std::int64_t kv_projected = 0;
  /// Side R of the strided convolution (R x R, stride R) that sub-samples the keys' and values' input; 1 means none.
  std::int64_t reduction = 1;
  /// Multiply-accumulates for each token and channel beside the matrix products (depthwise convolutions, pooling), on
  /// average over the blocks.
  double local_macs = 0;
  /// What it is: "window", "global sub-sampled", ...
  std::string kind;
  Interaction interaction{};
};

/// One stage of a hierarchical visual Transformer.
struct TransformerStage {
  std::int64_t channels = 0;
  std::int64_t heads = 0;
  double mlp_ratio = 4;
  /// Feature-map size in tokens, before padding to windows.
  std::int64_t height = 0;
  std::int64_t width = 0;
  /// Inputs of the patch-merging (or patch-embedding) projection at the stage's entry: 4 C for a 2x2 merge of width C.
  /// 0 where the stage has none.
  std::int64_t merge_inputs = 0;
  std::vector<EncoderBlocks> blocks;
};

/// A visual Transformer at one image size, reduced to what a scheduler of computational branches needs.
struct VisionTransformer {
  std::string name;
  std::string family;
  std::int64_t image_px = 0;
  std::vector<TransformerStage> stages;
};

/// Multiply-accumulates of the stages, padding included: patch embedding and merging, the blocks' projections,
/// attention products, sub-sampling convolutions and feed-forward networks, and local_macs; without the classifier.
double encoder_macs(const std::vector<TransformerStage>& stages);

}  // namespace pimsweep::workload
