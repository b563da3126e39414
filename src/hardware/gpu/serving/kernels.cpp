#include "hardware/gpu/serving/kernels.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <cstdint>
#include <span>

namespace pimsweep::hardware::gpu::serving {

namespace {

/// Output tiles of cuBLAS and CUTLASS for 16-bit factors (cutlass/media/docs/efficient_gemm.md: thread blocks of 64 to
/// 256), and narrower ones for few tokens, down to the 16 rows of a tensor-core instruction.
struct OutputTile {
  double rows;
  double columns;
};
constexpr std::array<OutputTile, 19> output_tiles = {{{16, 32},
                                                      {16, 64},
                                                      {16, 128},
                                                      {16, 256},
                                                      {32, 32},
                                                      {32, 64},
                                                      {32, 128},
                                                      {32, 256},
                                                      {64, 32},
                                                      {64, 64},
                                                      {64, 128},
                                                      {64, 256},
                                                      {128, 32},
                                                      {128, 64},
                                                      {128, 128},
                                                      {128, 256},
                                                      {256, 32},
                                                      {256, 64},
                                                      {256, 128}}};
/// Number of parts of the inner dimension (split-K).
constexpr std::array<double, 5> inner_splits = {1, 2, 4, 8, 16};

/// Bytes per partial sum, written and read.
constexpr double partial_bytes = 8;
/// Bytes of an output, and of a value before it is converted to a narrow factor.
constexpr double wide_bytes = 2;
/// Passes over a layer's input when it is converted: the largest value, then the conversion, which writes factors.
constexpr double conversion_passes = 2;

/// Tiles of vLLM's fused experts without a tuned configuration: up to as many tokens as experts, and above
/// (vllm/model_executor/layers/fused_moe/fused_moe.py, get_default_config).
constexpr std::array<OutputTile, 1> default_tiles_few = {{{16, 32}}};
constexpr std::array<OutputTile, 1> default_tiles_many = {{{64, 64}}};

/// Query rows of a thread block of decode attention, and head size to which times of its thread blocks refer.
constexpr double decode_rows = 64;
constexpr double reference_size = 128;
/// Thread blocks of a multiprocessor from which on FlashAttention 2 splits no sequence (flash-attention,
/// csrc/flash_attn/flash_api.cpp, num_splits_heuristic: 0.8 of two blocks).
constexpr double unsplit_blocks = 0.8 * 2;
/// Keys of a step of prefill attention.
constexpr double prefill_keys = 64;

/// Time of two activities that overlap in part: never less than the longer one.
double overlapped(double one, double other, double exponent) {
  const double longer = std::max(one, other);
  if (!(longer > 0)) return 0;
  return longer * std::pow(1 + std::pow(std::min(one, other) / longer, exponent), 1 / exponent);
}

/// GEMMs with the same weights' shape in one launch: `groups` of them with equal tokens.
struct ProductShape {
  std::span<const ExpertGroup> groups;
  double inner = 1;
  double columns = 1;
  double factor_bytes = 2;
  double weight_bytes = 2;
  /// The library may split the inner dimension.
  bool can_split = false;
  /// The tiles that it chooses from.
  std::span<const OutputTile> tiles = output_tiles;
  /// Other GEMMs fill the last wave of thread blocks.
  bool shares_waves = false;
};

/// Rates that bound the thread blocks of GEMMs.
struct TileRates {
  double tensor_efficiency;
  double load_bytes_per_cycle;
};

/// Tiles of rows of all GEMMs.
double row_tiles(std::span<const ExpertGroup> groups, double rows) {
  double tiles = 0;
  for (const ExpertGroup& group : groups) tiles += group.count * std::ceil(group.tokens / rows);
  return tiles;
}

/// Time in seconds of the thread blocks of the GEMMs: waves over the multiprocessors, each block bound by its tensor
/// cores or its loads,
///   ceil(tiles s / S) K / s max(2 m w (1 + o/m + o/w) / (r f e), (m b_x + w b_w) / (B f)) [+ split],
/// with [split] = split latency + 8 s n N / cache rate for s > 1; the library chooses the fastest tile and split.
double blocks_time(const Card& card, const ProductShape& shape, const TileRates& rates) {
  const double rate = card.tensor_rate * card.speedup(shape.factor_bytes) * card.clock * rates.tensor_efficiency;
  const double load = rates.load_bytes_per_cycle * card.clock;
  double outputs = 0;
  for (const ExpertGroup& group : shape.groups) outputs += group.count * group.tokens * shape.columns;
  const double partial = partial_bytes * outputs / card.cache_rate();
  double best = std::numeric_limits<double>::infinity();
  double rows = 0;
  double tiles_of_rows = 0;
  for (const OutputTile& tile : shape.tiles) {
    if (tile.rows != rows) {
      rows = tile.rows;
      tiles_of_rows = row_tiles(shape.groups, rows);
    }
    const double tiles = tiles_of_rows * std::ceil(shape.columns / tile.columns);
    const double stall = 1 + card.kernels.tile_overhead / tile.rows + card.kernels.tile_overhead / tile.columns;
    const double each =
        shape.inner * std::max(2 * tile.rows * tile.columns * stall / rate,
                               (tile.rows * shape.factor_bytes + tile.columns * shape.weight_bytes) / load);
    // No split is faster than full waves; rounding may make one so by less.
    const double shortest = tiles / card.multiprocessors * each * (1 - 1e-9);
    for (const double split : std::span(inner_splits).first(shape.can_split ? inner_splits.size() : 1)) {
      const double sum = split > 1 ? card.kernels.split_latency + split * partial : 0;
      if (shortest + sum >= best) break;
      const double share = tiles * split / card.multiprocessors;
      const double waves = shape.shares_waves ? share : std::ceil(share);
      best = std::min(best, waves * each / split + sum);
    }
  }
  return best;
}

/// Bytes of weights and values from memory. Either all weights are loaded or none: under LRU replacement, a set that is
/// used cyclically and does not fit is evicted before its next use.
double weights_traffic(const Card& card, double weights, double values, double working_set) {
  return (working_set > card.cache_capacity ? weights : 0) + card.spilled(values);
}

double weights_time(const Card& card, double weights, double values, double working_set, double efficiency) {
  return std::max(weights_traffic(card, weights, values, working_set) / (card.memory_bandwidth * efficiency),
                  (weights + values) / card.cache_rate());
}

}  // namespace

KernelTime dense(const Card& card, const DenseShape& shape) {
  const Kernels& kernels = card.kernels;
  const bool is_narrow = shape.factor_bytes < wide_bytes && card.has_factors(shape.factor_bytes);
  const double weights = shape.inner * shape.columns * shape.weight_bytes;
  // A conversion leaves narrow inputs; the output is wide.
  const double values = shape.tokens * (is_narrow ? shape.inner * shape.factor_bytes + shape.columns * wide_bytes
                                                  : (shape.inner + shape.columns) * shape.value_bytes);
  const double traffic = weights_time(card, weights, values, shape.working_set, card.memory_efficiency);
  const ExpertGroup product = {1, shape.tokens};
  const TileRates rates = is_narrow ? TileRates{card.narrow_efficiency, kernels.narrow_load_bytes_per_cycle}
                                    : TileRates{card.tensor_efficiency, kernels.load_bytes_per_cycle};
  const double blocks = blocks_time(
      card, {std::span(&product, 1), shape.inner, shape.columns, shape.factor_bytes, shape.weight_bytes, !is_narrow},
      rates);
  const double converted = shape.tokens * shape.inner * (conversion_passes * wide_bytes + shape.factor_bytes);
  const double start = is_narrow ? kernels.narrow_latency + kernels.narrow_traffic * card.traffic_time(converted)
                                 : kernels.dense_latency;
  return {.seconds = start + overlapped(traffic, blocks, kernels.overlap),
          .memory_bytes = weights_traffic(card, weights, values, shape.working_set),
          .operations = 2 * shape.tokens * shape.inner * shape.columns};
}

namespace {

/// Thread blocks that pass over whole sequences: `blocks` of them for each sequence; seconds per key of a block while
/// all multiprocessors are busy, and of a block alone.
struct WholeSequences {
  double blocks;
  double seconds_per_key;
  double seconds_alone;
};

/// Seconds by which the longest sequences outlast the others: at any depth of the keys, the blocks left take their
/// share of the GPU's time, and the fewer are left, the more of the time of a block alone is exposed,
///   integral over keys of r / (1 + m t / r),  m blocks with so many keys, r alone, t while all are busy.
/// Time of all blocks and this are never shorter with more keys or sequences, or longer with a smaller t.
double outlasting_time(std::span<const SequenceGroup> groups, const WholeSequences& whole) {
  boost::container::small_vector<SequenceGroup, 16> sorted(groups.begin(), groups.end());
  std::ranges::sort(sorted, std::ranges::greater{}, &SequenceGroup::context);
  const double alone = whole.seconds_alone;
  double seconds = 0;
  double blocks = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    blocks += sorted[i].count * whole.blocks;
    const double keys = sorted[i].context - (i + 1 < sorted.size() ? sorted[i + 1].context : 0);
    seconds += keys * alone * alone / (alone + blocks * whole.seconds_per_key);
  }
  return seconds;
}

}  // namespace

KernelTime decode_attention(const Card& card, const AttentionShape& shape, std::span<const SequenceGroup> groups) {
  const Kernels& kernels = card.kernels;
  double sequences = 0;
  double keys = 0;
  double longest = 0;
  double parts = 0;
  for (const SequenceGroup& group : groups) {
    const double own_parts = std::ceil(group.context / kernels.split_keys);
    sequences += group.count;
    keys += group.count * group.context;
    longest = std::max(longest, own_parts);
    parts += group.count * own_parts;
  }
  if (!(sequences > 0)) return {};

  const double sizes = shape.key_size + shape.value_size;
  const double heads = shape.heads * shape.new_tokens;
  const double operations = 2 * keys * heads * sizes;
  const double bytes = keys * shape.cache_bytes;
  const double memory_bytes = shape.is_cached ? 0 : bytes;
  const double queries = wide_bytes * sequences * heads * sizes;
  const double traffic = std::max(memory_bytes / (card.memory_bandwidth * kernels.decode_memory_efficiency),
                                  (bytes + queries) / (card.memory_bandwidth * kernels.decode_cache_ratio));
  const double peak = card.peak_rate(shape.factor_bytes);
  // A tile has at least `decode_rows` rows, even for fewer query heads.
  const double tiles = std::ceil(heads / shape.kv_heads / decode_rows);
  // Loads by each query head take longer than multiplications; the peak of the GPU remains a bound.
  const double compute =
      shape.reads > 1
          ? std::max(operations / peak, std::ceil(parts * shape.kv_heads * shape.reads / card.multiprocessors) *
                                            kernels.split_keys * shape.cache_bytes / shape.kv_heads /
                                            (kernels.block_bytes_per_cycle * card.clock))
          : 2 * keys * shape.kv_heads * tiles * decode_rows * sizes / (peak * card.attention_efficiency);
  const bool is_whole = card.splits_groups_only && shape.heads == shape.kv_heads;
  const double size = sizes / (2 * reference_size);
  // Parts of a sequence are summed one after another; a sequence that is not split passes through one thread block.
  const double chain = is_whole ? longest * kernels.decode_step * size
                                : kernels.decode_part_latency * std::min(longest, kernels.max_parts);
  const double blocks = shape.kv_heads * tiles;
  const double scheduling = sequences * blocks * kernels.decode_block_time / card.multiprocessors * (0.5 + 0.5 * size);
  const bool is_grouped = card.splits_groups_only && shape.heads > shape.kv_heads;
  double work = std::max(traffic, compute);
  if (is_grouped && shape.key_size == shape.value_size && shape.reads == 1 &&
      sequences * blocks >= unsplit_blocks * card.multiprocessors) {
    work += outlasting_time(groups, {.blocks = blocks,
                                     .seconds_per_key = work / (keys * blocks),
                                     .seconds_alone = kernels.decode_step * size / kernels.split_keys});
  }
  const bool has_copies = is_grouped && sequences > 1 && shape.kv_heads > 1;
  const double starts = (longest > 1 && !is_whole ? 1 : 0) + (has_copies ? 1 : 0);
  return {.seconds = kernels.decode_latency + starts * kernels.decode_split_latency +
                     std::sqrt(work * work + chain * chain + scheduling * scheduling),
          .memory_bytes = memory_bytes,
          .operations = operations};
}

namespace {

/// Sums over the thread blocks and bytes of a kernel of prefill attention.
class PrefillWork {
 public:
  PrefillWork(const Card& card, const AttentionShape& shape)
      : card_(card), shape_(shape), sizes_(shape.key_size + shape.value_size) {
    const double rate = card.tensor_rate * card.speedup(shape.factor_bytes) * card.clock * card.attention_efficiency;
    seconds_per_key_ = card.kernels.query_rows * (2 * sizes_ / rate + card.kernels.exponential_cycles / card.clock);
  }

  void add(const PrefillChunk& prefill) {
    const double rows = card_.kernels.query_rows;
    const double tiles = std::ceil(prefill.chunk / rows);
    // Keys of the last thread block, and mean over all: the first `rising` of them see more and more keys.
    const double visible = std::max(prefill.window, rows) + rows;
    const double rising = std::min(std::ceil(visible / rows), tiles);
    const double rounded = std::ceil(prefill.chunk / prefill_keys) * prefill_keys;
    const double last = std::min(rounded, rising * rows);
    const double mean = tiles > 1 ? rows * rising * (tiles - (rising - 1) / 2) / tiles : std::min(rows, rounded);
    const double earlier = std::min(prefill.earlier, prefill.window);
    add_blocks(prefill.sequences, shape_.heads, tiles, mean + earlier);
    // The thread block of the last rows, with the most keys, ends last: on average half of its excess is exposed.
    excess_ = std::max(excess_, 0.5 * seconds_per_key_ * std::max(0.0, last - mean));
    const double window = std::min(prefill.window, prefill.earlier + prefill.chunk);
    // Queries that see fewer keys than the window, and the others.
    const double partial = std::max(0.0, std::min(prefill.chunk, window - prefill.earlier));
    const double pairs = partial * prefill.earlier + partial * (partial + 1) / 2 + (prefill.chunk - partial) * window;
    add_values(prefill.sequences, prefill.chunk, earlier, pairs);
  }

  void add(const SequenceGroup& decodes) {
    const double keys = std::ceil(decodes.context / prefill_keys) * prefill_keys;
    add_blocks(decodes.count, card_.packs_heads ? shape_.kv_heads : shape_.heads, 1, keys);
    add_values(decodes.count, 1, decodes.context - 1, decodes.context);
  }

  KernelTime time() const {
    const Kernels& kernels = card_.kernels;
    // Each sequence has as many thread blocks as the one with the most new tokens; those without rows end at once.
    const double empty_blocks = sequences_ * shape_.heads * max_tiles_ - blocks_;
    const double blocks_time = blocks_time_ + empty_blocks * kernels.empty_block_cycles / card_.clock;
    const double work = std::max(blocks_time / card_.multiprocessors, longest_) + excess_;
    const double memory_bytes = earlier_bytes_ * (1 + repeated_reads()) + card_.spilled(queries_ + new_bytes_);
    const double traffic = std::max((queries_ + cached_) / (card_.memory_bandwidth * kernels.prefill_cache_ratio),
                                    memory_bytes / card_.memory_rate());
    return {.seconds = kernels.prefill_latency + stored_ / (card_.memory_bandwidth * kernels.store_efficiency) +
                       std::sqrt(work * work + traffic * traffic),
            .memory_bytes = memory_bytes,
            .operations = 2 * shape_.heads * sizes_ * pairs_};
  }

 private:
  /// Times that earlier keys are read again from memory. Heads are the outermost order of thread blocks: between two
  /// query heads that share keys, the keys of all sequences for these heads pass through the second-level cache.
  double repeated_reads() const {
    const double between = card_.packs_heads ? 0 : cached_ / shape_.kv_heads;
    return between > 0 ? (shape_.heads / shape_.kv_heads - 1) * card_.spilled(between) / between : 0;
  }

  void add_blocks(double sequences, double heads, double tiles, double keys) {
    const double each = seconds_per_key_ * keys + card_.kernels.prefill_block_time;
    const double blocks = sequences * heads * tiles;
    sequences_ += sequences;
    blocks_ += blocks;
    max_tiles_ = std::max(max_tiles_, tiles);
    blocks_time_ += blocks * each;
    longest_ = std::max(longest_, each);
  }

  /// `tokens` new tokens of each of `sequences` sequences after `earlier` ones, with `pairs` of a query and a key.
  void add_values(double sequences, double tokens, double earlier, double pairs) {
    stored_ += sequences * tokens * (shape_.cache_bytes + wide_bytes * shape_.kv_heads * sizes_);
    queries_ += wide_bytes * sequences * shape_.heads * tokens * sizes_;
    cached_ += sequences * shape_.cache_bytes * (tokens + earlier);
    earlier_bytes_ += sequences * shape_.cache_bytes * earlier;
    new_bytes_ += sequences * shape_.cache_bytes * tokens;
    pairs_ += sequences * pairs;
  }

  const Card& card_;
  const AttentionShape& shape_;
  double sizes_;
  double seconds_per_key_ = 0;
  double sequences_ = 0;
  double max_tiles_ = 0;
  double blocks_ = 0;
  double blocks_time_ = 0;
  double longest_ = 0;
  double excess_ = 0;
  double stored_ = 0;
  double queries_ = 0;
  double cached_ = 0;
  double earlier_bytes_ = 0;
  double new_bytes_ = 0;
  double pairs_ = 0;
};

}  // namespace

KernelTime mixed_attention(const Card& card, const AttentionShape& shape, std::span<const PrefillChunk> prompts,
                           std::span<const SequenceGroup> decodes) {
  if (prompts.empty() && decodes.empty()) return {};
  PrefillWork work(card, shape);
  for (const PrefillChunk& prefill : prompts) work.add(prefill);
  for (const SequenceGroup& group : decodes) work.add(group);
  return work.time();
}

KernelTime prefill_attention(const Card& card, const AttentionShape& shape, const PrefillChunk& prefill) {
  return mixed_attention(card, shape, std::span(&prefill, 1), {});
}

namespace {

/// The tiles from which the library chooses for grouped GEMMs.
std::span<const OutputTile> tiles_of(const Card& card, const ExpertsShape& shape) {
  if (!card.default_expert_tiles) return output_tiles;
  return shape.tokens <= shape.experts ? std::span<const OutputTile>(default_tiles_few) : default_tiles_many;
}

/// Time of both grouped GEMMs, each with its own weights.
double grouped_time(const Card& card, const ExpertsShape& shape, std::span<const ExpertGroup> groups) {
  const TileRates rates = {card.kernels.experts_tensor_efficiency, card.kernels.experts_load_bytes_per_cycle};
  double active = 0;
  for (const ExpertGroup& group : groups) active += group.count;
  const std::span<const OutputTile> tiles = tiles_of(card, shape);
  const auto product = [&](double inner, double columns) {
    const double weights = active * inner * columns * shape.weight_bytes;
    const double traffic = weights_time(card, weights, 0, shape.working_set, card.kernels.experts_memory_efficiency);
    return overlapped(
        traffic,
        blocks_time(card, {groups, inner, columns, shape.factor_bytes, shape.weight_bytes, false, tiles}, rates),
        card.kernels.overlap);
  };
  return product(shape.hidden, 2 * shape.width) + product(shape.width, shape.hidden);
}

/// Bytes of the activation and of the sum over the experts of a token, which pass over the rows of all GPUs' experts,
/// and of the inputs and outputs of the GEMMs, which have `rows` rows.
double moved_bytes(const ExpertsShape& shape, double rows) {
  const double all = shape.tokens * shape.per_token;
  return shape.value_bytes * (all * (5 * shape.width + 2 * shape.hidden) + rows * (shape.hidden + shape.width));
}

}  // namespace

KernelTime experts(const Card& card, const ExpertsShape& shape, std::span<const ExpertGroup> groups) {
  double active = 0;
  double rows = 0;
  for (const ExpertGroup& group : groups) {
    active += group.count;
    rows += group.count * group.tokens;
  }
  const double weights = active * 3 * shape.hidden * shape.width * shape.weight_bytes;
  const double moved = moved_bytes(shape, rows);
  return {.seconds = card.kernels.experts_latency + grouped_time(card, shape, groups) +
                     card.kernels.experts_traffic * card.traffic_time(moved),
          .memory_bytes = weights_traffic(card, weights, 0, shape.working_set),
          .operations = 6 * rows * shape.hidden * shape.width};
}

KernelTime expert(const Card& card, const ExpertsShape& layer, double tokens) {
  const Kernels& kernels = card.kernels;
  const TileRates rates = {kernels.experts_tensor_efficiency, kernels.experts_load_bytes_per_cycle};
  const ExpertGroup group = {1, tokens};
  const auto product = [&](double inner, double columns) {
    const double weights = inner * columns * layer.weight_bytes;
    const ProductShape shape = {.groups = std::span(&group, 1),
                                .inner = inner,
                                .columns = columns,
                                .factor_bytes = layer.factor_bytes,
                                .weight_bytes = layer.weight_bytes,
                                .tiles = tiles_of(card, layer),
                                .shares_waves = true};
    return overlapped(weights_time(card, weights, 0, layer.working_set, kernels.experts_memory_efficiency),
                      blocks_time(card, shape, rates), kernels.overlap);
  };
  const double weights = 3 * layer.hidden * layer.width * layer.weight_bytes;
  const double rows = layer.tokens * layer.per_token;
  return {.seconds = product(layer.hidden, 2 * layer.width) + product(layer.width, layer.hidden) +
                     tokens / rows * kernels.experts_traffic * card.traffic_time(moved_bytes(layer, rows)),
          .memory_bytes = weights_traffic(card, weights, 0, layer.working_set),
          .operations = 6 * tokens * layer.hidden * layer.width};
}

}  // namespace pimsweep::hardware::gpu::serving
