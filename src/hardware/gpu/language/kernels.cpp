#include "hardware/gpu/language/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pimsweep::hardware::gpu::language {

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
constexpr std::array<double, 4> inner_splits = {1, 2, 4, 8};

/// Bytes per value of the factors in a tile, and per partial sum, written and read.
constexpr double factor_bytes = 2;
constexpr double partial_bytes = 8;

/// Row length from which on a row is reduced by more than one thread block: 256 values for each of 512 threads
/// (PyTorch, aten/src/ATen/native/cuda/Reduce.cuh, setReduceConfig).
constexpr double reduction_split = 256 * 512;

/// Dependent accesses of a thread. Normalization: vector for the sum, weight, vector again; rotation: position, table,
/// vector; embedding: token, row, and their checks; activation: the vector.
constexpr double normalization_trips = 3;
constexpr double rotary_trips = 3;
constexpr double embedding_trips = 4;
constexpr double activation_trips = 1;

/// Time of two activities that overlap in part: never less than the longer one.
double overlapped(double one, double other, double exponent) {
  const double longer = std::max(one, other);
  if (!(longer > 0)) return 0;
  return longer * std::pow(1 + std::pow(std::min(one, other) / longer, exponent), 1 / exponent);
}

/// Equal GEMMs in one launch.
struct ProductShape {
  double products = 1;
  double tokens = 1;
  double inner = 1;
  double columns = 1;
};

/// The last wave of thread blocks has the multiprocessors to itself, or shares them with other work.
enum class Waves : std::uint8_t { whole, shared };

/// Time in seconds of the thread blocks of the GEMMs: waves over the multiprocessors, each block bound by its tensor
/// cores or its loads; the library chooses the fastest tile and split.
double blocks_time(const Card& card, const ProductShape& shape, Waves kind = Waves::whole) {
  const double rate = card.tensor_rate * card.clock * card.tensor_efficiency;
  const double load = card.kernels.load_bytes_per_cycle * card.clock;
  const double partial = partial_bytes * shape.products * shape.tokens * shape.columns / card.cache_rate();
  double best = std::numeric_limits<double>::infinity();
  for (const OutputTile& tile : output_tiles) {
    const double tiles = shape.products * std::ceil(shape.tokens / tile.rows) * std::ceil(shape.columns / tile.columns);
    const double stall = 1 + card.kernels.tile_overhead / tile.rows + card.kernels.tile_overhead / tile.columns;
    const double each = shape.inner * std::max(2 * tile.rows * tile.columns * stall / rate,
                                               factor_bytes * (tile.rows + tile.columns) / load);
    for (const double split : inner_splits) {
      const double share = tiles * split / card.multiprocessors;
      const double waves = kind == Waves::whole ? std::ceil(share) : share;
      best = std::min(best, waves * each / split + (split > 1 ? split * partial : 0));
    }
  }
  return best;
}

/// Bytes written by the previous kernel that the cache could not keep.
double spilled(const Card& card, double bytes) {
  return std::max(0.0, bytes - card.kernels.cache_share * card.cache_capacity);
}

double traffic_time(const Card& card, double bytes) {
  return bytes / card.cache_rate() + spilled(card, bytes) / card.memory_rate();
}

/// Bytes of weights and values from memory. Either all weights are loaded or none: under LRU replacement, a set that is
/// used cyclically and does not fit is evicted before its next use.
double weights_traffic(const Card& card, double weights, double values, double working_set) {
  return (working_set > card.cache_capacity ? weights : 0) + spilled(card, values);
}

double weights_time(const Card& card, double weights, double values, double working_set) {
  return std::max(weights_traffic(card, weights, values, working_set) / card.memory_rate(),
                  (weights + values) / card.cache_rate());
}

}  // namespace

KernelTime dense(const Card& card, const DenseShape& shape) {
  const double weights = shape.inner * shape.columns * shape.weight_bytes;
  const double values = shape.tokens * (shape.inner + shape.columns) * shape.value_bytes;
  const double traffic = weights_time(card, weights, values, shape.working_set);
  const double blocks = blocks_time(card, {.tokens = shape.tokens, .inner = shape.inner, .columns = shape.columns});
  return {.seconds = card.kernels.dense_latency + overlapped(traffic, blocks, card.kernels.overlap),
          .memory_bytes = weights_traffic(card, weights, values, shape.working_set),
          .operations = 2 * shape.tokens * shape.inner * shape.columns};
}

KernelTime head(const Card& card, double sequences, double hidden, double vocabulary, double weight_bytes) {
  return dense(card, {.tokens = sequences, .inner = hidden, .columns = vocabulary, .weight_bytes = weight_bytes});
}

KernelTime sampler(const Card& card, double sequences, double vocabulary) {
  // Logits of 2 bytes are converted to 4 bytes, which are read again.
  const double values = sequences * vocabulary;
  const double row = 4 * vocabulary / (card.kernels.block_bytes_per_cycle * card.clock);
  const double block = vocabulary < reduction_split ? row : 0;
  return {.seconds = card.kernels.sampler_latency + traffic_time(card, 6 * values) +
                     std::max(block, traffic_time(card, 4 * values)),
          .memory_bytes = spilled(card, 6 * values) + spilled(card, 4 * values),
          .operations = values};
}

KernelTime decode_attention(const Card& card, const AttentionShape& shape, std::span<const SequenceGroup> groups) {
  const Kernels& kernels = card.kernels;
  double sequences = 0;
  double keys = 0;
  double parts = 0;
  for (const SequenceGroup& group : groups) {
    sequences += group.count;
    keys += group.count * group.context;
    parts += group.count * std::ceil(group.context / kernels.split_keys);
  }
  if (!(sequences > 0)) return {};

  const bool has_shared_reads = shape.reads <= 1;
  const double memory = keys * shape.cache_bytes / card.memory_rate();
  const double load = (has_shared_reads ? kernels.load_bytes_per_cycle : kernels.block_bytes_per_cycle) * card.clock;
  const double serial = std::ceil(parts * shape.kv_heads * shape.reads / card.multiprocessors) * kernels.split_keys *
                        shape.cache_bytes / shape.kv_heads / load;
  // A tile has at least `query_rows` rows, even for fewer query heads.
  const double rows =
      has_shared_reads ? std::ceil(shape.heads / shape.kv_heads / kernels.query_rows) * kernels.query_rows : 0;
  const double sizes = shape.key_size + shape.value_size;
  const double operations = 2 * keys * shape.heads * sizes;
  // Without tensor cores, loads take longer than multiplications; the peak of the GPU remains a bound.
  const double compute =
      std::max(2 * keys * shape.kv_heads * rows * sizes / card.attention_efficiency, operations) / card.peak_rate();
  const double latency = kernels.decode_latency + (sequences > 1 ? kernels.batch_latency : 0);
  return {.seconds = latency + std::max({memory, serial, compute}),
          .memory_bytes = keys * shape.cache_bytes,
          .operations = operations};
}

KernelTime prefill_attention(const Card& card, const AttentionShape& shape, const PrefillChunk& prefill) {
  const double rows = card.kernels.query_rows;
  const double tiles = std::ceil(prefill.chunk / rows);
  const double waves = std::ceil(prefill.sequences * shape.heads * tiles / card.multiprocessors);
  const double sizes = shape.key_size + shape.value_size;
  const double seconds_per_key = 2 * rows * sizes / (card.tensor_rate * card.clock * card.attention_efficiency);
  // Mean number of keys of a block in each wave; the block of the last rows, with the most keys, ends last.
  const double keys = waves * (prefill.earlier + (tiles + 1) / 2 * rows) + (tiles - 1) / 2 * rows;
  const double cached = shape.cache_bytes * (prefill.chunk + prefill.earlier);
  const double queries = 2 * shape.heads * prefill.chunk * sizes;
  const double bytes = prefill.sequences * (cached + queries);
  const double pairs = prefill.chunk * prefill.earlier + prefill.chunk * (prefill.chunk + 1) / 2;
  return {.seconds = card.kernels.prefill_latency + std::max(seconds_per_key * keys, bytes / card.memory_rate()),
          .memory_bytes = bytes,
          .operations = 2 * prefill.sequences * shape.heads * sizes * pairs};
}

KernelTime experts(const Card& card, const ExpertsShape& shape) {
  const double rows = shape.tokens * shape.per_token;
  const double weights = shape.active * 3 * shape.hidden * shape.width * shape.weight_bytes;
  const double traffic = weights_time(card, weights, 0, shape.working_set);
  const double each = rows / shape.active;
  const double blocks = blocks_time(card, {shape.active, each, shape.hidden, 2 * shape.width}) +
                        blocks_time(card, {shape.active, each, shape.width, shape.hidden});
  // Inputs and outputs of both GEMMs and of the activation in between, and the sum over the experts of a token.
  const double moved = shape.value_bytes * (rows * 3 * (shape.hidden + shape.width) + shape.tokens * shape.hidden);
  return {.seconds = card.kernels.experts_latency + overlapped(traffic, blocks, card.kernels.overlap) +
                     traffic_time(card, moved),
          .memory_bytes = weights_traffic(card, weights, moved, shape.working_set),
          .operations = 6 * rows * shape.hidden * shape.width};
}

KernelTime expert(const Card& card, const ExpertsShape& layer, double tokens) {
  const double weights = 3 * layer.hidden * layer.width * layer.weight_bytes;
  const double traffic = weights_time(card, weights, 0, layer.working_set);
  const double blocks = blocks_time(card, {1, tokens, layer.hidden, 2 * layer.width}, Waves::shared) +
                        blocks_time(card, {1, tokens, layer.width, layer.hidden}, Waves::shared);
  // Its share of the activations between the GEMMs of all experts, as in experts().
  const double rows = layer.tokens * layer.per_token;
  const double moved = layer.value_bytes * (rows * 3 * (layer.hidden + layer.width) + layer.tokens * layer.hidden);
  const double part = tokens / rows;
  return {.seconds = overlapped(traffic, blocks, card.kernels.overlap) + part * traffic_time(card, moved),
          .memory_bytes = weights_traffic(card, weights, 0, layer.working_set) + part * spilled(card, moved),
          .operations = 6 * tokens * layer.hidden * layer.width};
}

KernelTime elementwise(const Card& card, const ElementwiseShape& shape) {
  const double block = shape.bytes / shape.blocks / (card.kernels.block_bytes_per_cycle * card.clock);
  const double scheduling = shape.blocks * card.kernels.block_cycles / (card.multiprocessors * card.clock);
  return {.seconds = card.kernels.empty_latency + shape.trips * card.kernels.trip_latency +
                     std::max({traffic_time(card, shape.bytes), block, scheduling}),
          .memory_bytes = spilled(card, shape.bytes),
          .operations = shape.operations};
}

KernelTime embedding(const Card& card, double tokens, double hidden, double value_bytes) {
  return elementwise(card, {.bytes = 2 * tokens * hidden * value_bytes, .blocks = tokens, .trips = embedding_trips});
}

KernelTime normalization(const Card& card, double rows, double columns, bool residual, double value_bytes) {
  const double values = rows * columns;
  return elementwise(card, {.bytes = (residual ? 4 : 2) * values * value_bytes,
                            .blocks = rows,
                            .trips = normalization_trips,
                            .operations = (residual ? 5 : 4) * values});
}

KernelTime rotary(const Card& card, double tokens, double values, double value_bytes) {
  return elementwise(card, {.bytes = 2 * tokens * values * value_bytes,
                            .blocks = tokens,
                            .trips = rotary_trips,
                            .operations = 3 * tokens * values});
}

KernelTime activation(const Card& card, double tokens, double width, bool gated, double value_bytes) {
  const double values = tokens * width;
  return elementwise(card, {.bytes = (gated ? 3 : 2) * values * value_bytes,
                            .blocks = tokens,
                            .trips = activation_trips,
                            .operations = (gated ? 5 : 4) * values});
}

}  // namespace pimsweep::hardware::gpu::language
