#include "systems/allspark/stage_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hardware/integer_math.h"
#include "hardware/node_array/layout.h"

namespace pimsweep::systems::allspark {

using workload::EncoderBlocks;
using workload::TransformerStage;

namespace {

/// The part of a branch that a node holds: p patches x q columns in b heads of d columns.
struct Slice {
  std::int64_t patches = 0;     ///< p
  std::int64_t kv_patches = 0;  ///< patches for which it computes keys and values
  std::int64_t heads = 0;       ///< b
  std::int64_t head_width = 0;  ///< d
  std::int64_t columns = 0;     ///< q = b d
  std::int64_t hidden = 0;      ///< a1 q, columns of the hidden layer of the feed-forward network
};

std::int64_t hidden_columns(double mlp_ratio, std::int64_t columns) {
  return Count::of(std::ceil(mlp_ratio * static_cast<double>(columns)));
}

Slice slice_of(const TransformerStage& stage, const EncoderBlocks& blocks, const Partition& partition) {
  Slice slice;
  slice.patches = hardware::ceil_div(blocks.tokens, partition.patch_split);
  slice.kv_patches = hardware::ceil_div(blocks.kv_projected, partition.patch_split);
  slice.heads = hardware::ceil_div(stage.heads, partition.head_split);
  slice.head_width = hardware::ceil_div(stage.channels, stage.heads);
  slice.columns = Count{slice.heads} * slice.head_width;
  slice.hidden = hidden_columns(stage.mlp_ratio, slice.columns);
  return slice;
}

/// Words that a node receives of a matrix of `words` words, which is stored in equal parts on `parts` nodes, `ring` of
/// which work with the same share: (ring - 1) / parts of the matrix (Sec. VI-C).
std::int64_t missing_words(std::int64_t words, std::int64_t ring, std::int64_t parts) {
  return hardware::ceil_div(Count{ring - 1} * words, parts);
}

void charge_sharing(const TransformerStage& stage, const EncoderBlocks& blocks, std::int64_t ring, std::int64_t parts,
                    TimeLedger& ledger) {
  const Count square = Count{stage.channels} * stage.channels;
  const auto around = [&](std::int64_t words) { return cycle::Movement{cycle::Path::weights, words, ring - 1}; };
  if (blocks.reduction > 1) {
    ledger.share_weights("weight sharing, sub-sampling",
                         around(missing_words(Count{blocks.reduction} * blocks.reduction * square, ring, parts)));
  }
  ledger.share_weights("weight sharing, W^MSA", around(missing_words(3 * square, ring, parts)));
  ledger.share_weights("weight sharing, W^FC", around(missing_words(square, ring, parts)));
  ledger.share_weights(
      "weight sharing, W^FFN",
      around(missing_words(Count{2} * stage.channels * hidden_columns(stage.mlp_ratio, stage.channels), ring, parts)));
}

/// Phases 2-9 of one encoder block (Sec. V-C) on one node for one branch.
void charge_block(const TransformerStage& stage, const EncoderBlocks& blocks, const Partition& partition,
                  const Slice& slice, const Machine& machine, TimeLedger& ledger) {
  const Count p = slice.patches;
  const Count q = slice.columns;
  const Count kv = blocks.kv_tokens;
  const Count channels = stage.channels;
  const Count horizontal = partition.head_split - 1;
  const Count vertical = partition.patch_split - 1;
  const auto over_heads = [&](std::int64_t words) { return cycle::Movement{cycle::Path::heads, words, horizontal}; };

  ledger.nonlinear("layer norm 1", p * q, machine.acu.layernorm_passes);
  ledger.transfer("D^LN of layer norm 1", {over_heads(2 * horizontal * p)});
  ledger.transfer("D^F", {over_heads(horizontal * p * q)});
  if (blocks.reduction > 1) {
    ledger.gemm("sub-sampling", {slice.kv_patches, q, Count{blocks.reduction} * blocks.reduction * channels});
    ledger.transfer("D^F of the sub-sampled patches", {over_heads(horizontal * slice.kv_patches * q)});
  }
  ledger.gemm("phase 2: Q", {p, q, channels});
  ledger.gemm("phase 3: K", {slice.kv_patches, q, channels});
  ledger.gemm("phase 4: V", {slice.kv_patches, q, channels});
  const cycle::Movement own{cycle::Path::patches, vertical * slice.kv_patches * q, vertical};
  const cycle::Movement others{cycle::Path::next_branch,
                               Count{std::max<std::int64_t>(kv - blocks.kv_projected, 0)} * q};
  ledger.transfer("D^K", {own, others});
  ledger.gemm("phase 5: scores", {p, kv, slice.head_width}, slice.heads);
  ledger.nonlinear("softmax", slice.heads * p * kv, machine.acu.softmax_passes);
  ledger.transfer("D^V", {own, others});
  ledger.gemm("phase 6: context", {p, slice.head_width, kv}, slice.heads);
  ledger.transfer("D^MSA_FC", {over_heads(horizontal * p * q)});
  ledger.gemm("phase 7: MSA FC", {p, q, channels});
  ledger.nonlinear("layer norm 2", p * q, machine.acu.layernorm_passes);
  ledger.transfer("D^LN of layer norm 2", {over_heads(2 * horizontal * p)});
  ledger.transfer("D^FFN", {over_heads(horizontal * p * (q + slice.hidden))});
  ledger.gemm("phase 8: FFN FC1", {p, slice.hidden, channels});
  ledger.nonlinear("GELU", p * slice.hidden, machine.acu.gelu_passes);
  ledger.gemm("phase 9: FFN FC2", {p, q, hidden_columns(stage.mlp_ratio, channels)});
  ledger.macs("local operators", blocks.local_macs * static_cast<double>(p * q));
}

/// Phase 1, once per stage.
void charge_merging(const TransformerStage& stage, const Partition& partition, std::int64_t words, std::int64_t parts,
                    TimeLedger& ledger) {
  const std::int64_t p = hardware::ceil_div(max_tokens(stage), partition.patch_split);
  const std::int64_t q =
      hardware::ceil_div(stage.heads, partition.head_split) * hardware::ceil_div(stage.channels, stage.heads);
  const std::int64_t gathered =
      hardware::ceil_div(Count{partition.head_split - 1} * p * q * stage.merge_inputs, stage.channels);
  ledger.transfer("D^PM", {{cycle::Path::heads, gathered, partition.head_split - 1}});
  ledger.gemm("phase 1: patch merging", {p, q, stage.merge_inputs});
  const std::int64_t ring = parts / partition.head_split;
  ledger.share_weights("weight sharing, W^PM", {cycle::Path::weights, missing_words(words, ring, parts), ring - 1});
}

/// Words of workspace of one node while a block of this kind runs: the largest over the phases (V^dyn of Eq. 5; the
/// paper names phases 2, 6 and 8 but prints no formula, docs/allspark.md derives these). If `gathered`, the weights of
/// the running phase are collected from other nodes and take room.
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

/// Eq. (12): the time of a sample is multiplied by the batch, but weights are shared once for the whole batch.
TimeShares for_batch(const TimeShares& one, std::int64_t batch) {
  TimeShares all = batch * one;
  all.weight_sharing = one.weight_sharing;
  return all;
}

WordVolume for_batch(const WordVolume& one, std::int64_t batch) {
  WordVolume all = batch * one;
  all.weight_sharing = one.weight_sharing;
  return all;
}

}  // namespace

std::int64_t weight_words(const TransformerStage& stage) {
  const Count square = Count{stage.channels} * stage.channels;
  Count words = 0;
  for (const EncoderBlocks& blocks : stage.blocks) {
    Count block = 4 * square + Count{2} * stage.channels * hidden_columns(stage.mlp_ratio, stage.channels);
    if (blocks.reduction > 1) block += Count{blocks.reduction} * blocks.reduction * square;
    words += blocks.count * block;
  }
  return words;
}

std::int64_t merging_words(const TransformerStage& stage, bool first) {
  return first ? Count{} : Count{stage.merge_inputs} * stage.channels;
}

std::int64_t max_tokens(const TransformerStage& stage) {
  std::int64_t largest = 0;
  for (const EncoderBlocks& blocks : stage.blocks) largest = std::max(largest, blocks.tokens);
  return largest;
}

std::int64_t branch_count(const TransformerStage& stage) {
  std::int64_t largest = 0;
  for (const EncoderBlocks& blocks : stage.blocks) largest = std::max(largest, blocks.branches);
  return largest;
}

PartitionCost partition_cost(const TransformerStage& stage, bool first, const Partition& partition,
                             const Conditions& conditions, const Machine& machine, GemmCache& gemms,
                             cycle::PhaseTimes* phases, Explanation* notes, std::vector<BlockPhases>* timeline) {
  const auto phases_of = [&](const EncoderBlocks* blocks) {
    return timeline == nullptr ? nullptr : &timeline->emplace_back(BlockPhases{blocks, {}}).phases;
  };
  // Nodes among which each weight is stored once, and how many of them need the same weights.
  const std::int64_t ring = conditions.weight_sharing ? partition.weight_ring() : 1;
  const bool by_patch = !conditions.weight_sharing && conditions.unshared_split == UnsharedSplit::patch;
  const std::int64_t parts = by_patch ? partition.patch_split : partition.head_split * ring;
  const auto bytes = [&](std::int64_t words) -> std::int64_t {
    return Count::of(std::ceil(static_cast<double>(words) * machine.word_bytes));
  };
  PartitionCost cost;
  cost.partition = partition;
  cost.capacity = hardware::node_array::layout_capacity(machine.node_rows, machine.node_cols, partition.head_split,
                                                        partition.patch_split);
  const TimedLayer timed{phases, partition, std::min(cost.capacity, branch_count(stage))};
  for (const EncoderBlocks& blocks : stage.blocks) {
    const Slice slice = slice_of(stage, blocks, partition);
    Explanation::Section* section = nullptr;
    if (notes != nullptr) {
      section = &notes->section(fmt::format("{} with {} ({} blocks)", name_of(partition),
                                            blocks.kind.empty() ? "attention" : blocks.kind, blocks.count));
      section->lines = {{"p", fmt::format("{}", slice.patches), "patches per node, ceil(N / patch_split)"},
                        {"p_kv", fmt::format("{}", slice.kv_patches), "patches with keys and values per node"},
                        {"b", fmt::format("{}", slice.heads), "heads per node, ceil(h / head_split)"},
                        {"d", fmt::format("{}", slice.head_width), "columns of a head"},
                        {"q", fmt::format("{}", slice.columns), "columns per node, b d"},
                        {"kv_tokens", fmt::format("{}", blocks.kv_tokens), "keys that a query attends to"}};
    }
    TimeLedger ledger(machine, gemms, timed, section, phases_of(&blocks));
    charge_block(stage, blocks, partition, slice, machine, ledger);
    charge_sharing(stage, blocks, ring, parts, ledger);
    cost.time += blocks.count * for_batch(ledger.shares(), conditions.batch);
    cost.volume += blocks.count * for_batch(ledger.volume(), conditions.batch);
    // Table VI prints the same workspace with and without weight sharing: V^dyn has the phase's weights in both cases.
    const std::int64_t words =
        workspace_words(stage, blocks, slice, conditions.batch, partition.weight_ring() > 1, section);
    cost.workspace_bytes = std::max(cost.workspace_bytes, bytes(words));
  }
  const std::int64_t merging = merging_words(stage, first);
  if (merging > 0) {
    TimeLedger ledger(machine, gemms, timed, notes == nullptr ? nullptr : &notes->sections.back(), phases_of(nullptr));
    charge_merging(stage, partition, merging, parts, ledger);
    cost.time += for_batch(ledger.shares(), conditions.batch);
    cost.volume += for_batch(ledger.volume(), conditions.batch);
  }
  cost.weight_bytes = hardware::ceil_div(bytes(weight_words(stage)), parts);
  cost.merging_bytes = hardware::ceil_div(bytes(merging), parts);
  return cost;
}

}  // namespace pimsweep::systems::allspark
