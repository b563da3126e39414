#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pimsweep::workload {

/// Data of other branches that the branches of a block need (local-global interaction, Allspark, Sec. III-A).
enum class InteractionKind : std::uint8_t {
  none,
  shifted_windows,  ///< Swin: in every second block the windows are shifted cyclically by `shift` tokens
  shared_keys,      ///< Twins: every branch attends to the sub-sampled keys and values of all branches
  surroundings,    ///< Focal: a window attends to the tokens around it and to farther windows, pooled to one token each
  crossed_stripes  ///< CSWin: a branch is a horizontal and a vertical stripe, and needs a square of every other branch
};

struct Interaction {
  InteractionKind kind = InteractionKind::none;
  /// Side of a branch's window, or width of a stripe, in tokens.
  std::int64_t window = 0;
  /// shifted_windows: number of tokens by which windows are shifted.
  std::int64_t shift = 0;
  /// surroundings: tokens beyond each side of the window, and side of the region of pooled windows, in windows.
  std::int64_t expand = 0;
  std::int64_t focal_windows = 0;
  /// Total number of exchanges in all blocks.
  std::int64_t times = 0;
};

/// The encoder blocks of one kind within a stage. All counts are per image.
struct EncoderBlocks {
  /// Number of encoder blocks of this kind in the stage.
  std::int64_t count = 0;
  /// Independent local regions (computational branches) of one block; 1 for global attention.
  std::int64_t branches = 1;
  /// Tokens of a branch, including padding (49 for a 7x7 window).
  std::int64_t tokens = 0;
  /// Keys that each query attends to (equal to `tokens` for plain local attention).
  std::int64_t kv_tokens = 0;
  /// Tokens for which a branch computes keys and values itself: all of its own for local attention, its share of the
  /// sub-sampled tokens for global sub-sampled attention.
  std::int64_t kv_projected = 0;
  /// Side R of the convolution (R x R, stride R) that sub-samples the input of keys and values; 1 for none.
  std::int64_t reduction = 1;
  /// Multiply-accumulates per token and channel other than GEMMs (depthwise convolutions, pooling), averaged over the
  /// blocks.
  double local_macs = 0;
  /// Kind of attention: "window", "global sub-sampled", ...
  std::string kind;
  Interaction interaction{};
};

/// One stage of a hierarchical vision Transformer.
struct TransformerStage {
  std::int64_t channels = 0;
  std::int64_t heads = 0;
  double mlp_ratio = 4;
  /// Size of the feature map in tokens, before padding to windows.
  std::int64_t height = 0;
  std::int64_t width = 0;
  /// Input channels of the patch merging (or patch embedding) at the start of the stage: 4 C for a 2x2 merge of C
  /// channels, 0 if there is none.
  std::int64_t merge_inputs = 0;
  std::vector<EncoderBlocks> blocks;
};

/// A vision Transformer at one image size, reduced to the data that a scheduler of computational branches needs.
struct VisionTransformer {
  std::string name;
  std::string family;
  std::int64_t image_px = 0;
  std::vector<TransformerStage> stages;
};

/// Multiply-accumulates of the stages, including padding: patch embedding and merging, the blocks' projections,
/// attention GEMMs, sub-sampling convolutions and feed-forward networks, and local_macs; without the classifier.
double encoder_macs(const std::vector<TransformerStage>& stages);

}  // namespace pimsweep::workload
