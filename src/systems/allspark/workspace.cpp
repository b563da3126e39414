#include "systems/allspark/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/checked.h"

namespace pimsweep::systems::allspark {

std::int64_t workspace_words(const workload::TransformerStage& stage, const workload::EncoderBlocks& blocks,
                             const Slice& slice, std::int64_t batch, bool gathered, Explanation::Section* notes) {
  const Count weight_columns = gathered ? Count{stage.channels} * slice.columns : Count{};
  const Count chunk = Count{slice.patches} * slice.columns;
  const Count kv_chunk = Count{slice.kv_patches} * slice.columns;
  std::int64_t largest = 0;
  const auto phase = [&](std::string_view name, Count weights, Count activations) {
    const std::int64_t words = weights + batch * activations;
    largest = std::max(largest, words);
    if (notes != nullptr) {
      notes->lines.push_back({fmt::format("workspace, {}", name), fmt::format("{} words", words),
                              fmt::format("{} of gathered weights", weights)});
    }
  };
  // In a ring rotation a node keeps its own chunk and one in flight; the block's input stays for the residual sum.
  const Count own_flight_residual = 3 * chunk;
  if (blocks.reduction > 1) {
    phase("sub-sampling", Count{blocks.reduction} * blocks.reduction * weight_columns, own_flight_residual + kv_chunk);
  }
  phase("phases 2-4: Q, K, V", 3 * weight_columns, own_flight_residual + chunk + 2 * kv_chunk);
  // Q, Z and residual; K and V; the scores of one head; a chunk of K or V of one head in flight.
  phase(
      "phase 6: context", 0,
      3 * chunk + 2 * kv_chunk + Count{slice.patches} * blocks.kv_tokens + Count{slice.kv_patches} * slice.head_width);
  const Count hidden_weights = gathered ? Count{stage.channels} * slice.hidden : Count{};
  phase("phases 8-9: FFN", hidden_weights, own_flight_residual + Count{slice.patches} * slice.hidden);
  return largest;
}

}  // namespace pimsweep::systems::allspark
