#include "workload/vision_transformer.h"

namespace pimsweep::workload {

namespace {

double block_macs(const EncoderBlocks& blocks, double channels, double mlp_ratio) {
  const auto branches = static_cast<double>(blocks.branches);
  const double tokens = branches * static_cast<double>(blocks.tokens);
  const auto keys = static_cast<double>(blocks.kv_tokens);
  // Branches of global attention divide the sub-sampled tokens, so rounding up their shares adds no work.
  const double projected =
      blocks.kv_projected < blocks.tokens ? keys : branches * static_cast<double>(blocks.kv_projected);
  const auto area = static_cast<double>(blocks.reduction * blocks.reduction);
  const double reduction = blocks.reduction > 1 ? keys * area * channels * channels : 0;
  const double projections = (2 * tokens + 2 * projected) * channels * channels;
  const double attention = 2 * tokens * keys * channels;
  const double feed_forward = 2 * tokens * mlp_ratio * channels * channels;
  return projections + reduction + attention + feed_forward + blocks.local_macs * tokens * channels;
}

}  // namespace

double encoder_macs(const std::vector<TransformerStage>& stages) {
  double macs = 0;
  for (const TransformerStage& stage : stages) {
    const auto channels = static_cast<double>(stage.channels);
    macs += static_cast<double>(stage.height * stage.width) * static_cast<double>(stage.merge_inputs) * channels;
    for (const EncoderBlocks& blocks : stage.blocks) {
      macs += static_cast<double>(blocks.count) * block_macs(blocks, channels, stage.mlp_ratio);
    }
  }
  return macs;
}

}  // namespace pimsweep::workload
