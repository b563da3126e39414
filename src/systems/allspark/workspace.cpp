#include "systems/allspark/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace pimsweep::systems::allspark {

std::int64_t workspace_words(const workload::TransformerStage& stage, const workload::EncoderBlocks& blocks,
                             const Slice& slice, std::int64_t batch, bool gathered, Explanation::Section* notes) {
  const std::int64_t weight_columns = gathered ? stage.channels * slice.columns : 0;
  const std::int64_t chunk = slice.patches * slice.columns;
  const std::int64_t kv_chunk = slice.kv_patches * slice.columns;
  std::int64_t largest = 0;
  const auto phase = [&](std::string_view name, std::int64_t weights, std::int64_t activations) {
    const std::int64_t words = weights + batch * activations;
    largest = std::max(largest, words);
    if (notes != nullptr) {
      notes->lines.push_back({fmt::format("workspace, {}", name), fmt::format("{} words", words),
                              fmt::format("{} of gathered weights", weights)});
    }
  };
  // In a ring rotation a node keeps its own chunk and one in flight; the block's input stays for the residual sum.
  const std::int64_t own_flight_residual = 3 * chunk;
  if (blocks.reduction > 1) {
    phase("sub-sampling", blocks.reduction * blocks.reduction * weight_columns, own_flight_residual + kv_chunk);
  }
  phase("phases 2-4: Q, K, V", 3 * weight_columns, own_flight_residual + chunk + 2 * kv_chunk);
  // Q, Z and residual; K and V; the scores of one head; a chunk of K or V of one head in flight.
  phase("phase 6: context", 0,
        3 * chunk + 2 * kv_chunk + slice.patches * blocks.kv_tokens + slice.kv_patches * slice.head_width);
  const std::int64_t hidden_weights = gathered ? stage.channels * slice.hidden : 0;
  phase("phases 8-9: FFN", hidden_weights, own_flight_residual + slice.patches * slice.hidden);
  return largest;
}

}  // namespace pimsweep::systems::allspark
