#pragma once

#include <limits>
#include <span>

#include "hardware/gpu/serving/card.h"

namespace pimsweep::hardware::gpu::serving {

/// Time of one kernel (or of the few kernels of a layer), bytes between second-level cache and memory, and operations
/// of the layer itself (a multiply-add counts as two). Equations and accuracy: docs/gpu.md#kernels-of-language-models.
/// All functions are pure; none is slower with more bandwidth, clock or multiprocessors, or faster with more tokens or
/// context. Counts and sizes are positive; heads, columns and widths are those on one GPU.
struct KernelTime {
  double seconds = 0;
  double memory_bytes = 0;
  double operations = 0;
};

/// GEMM of [tokens, inner] x [inner, columns].
struct DenseShape {
  double tokens = 1;
  double inner = 1;
  double columns = 1;
  double weight_bytes = 2;
  double value_bytes = 2;
  /// Bytes of the factors as they are multiplied: 2 for weights of fewer bytes that are converted on the way.
  double factor_bytes = 2;
  /// Bytes of weights read between two uses of these weights; weights that stay in the cache are not read from memory.
  double working_set = std::numeric_limits<double>::infinity();
};
KernelTime dense(const Card& card, const DenseShape& shape);

/// Heads of an attention layer on one GPU.
struct AttentionShape {
  double heads = 1;
  double kv_heads = 1;
  /// Values per key and per value. Latent attention: one key head, key_size 576, value_size 512.
  double key_size = 1;
  double value_size = 1;
  /// Bytes per token in the KV cache, over all key heads. Latent attention: its 576 values once.
  double cache_bytes = 0;
  /// Bytes of the factors as they are multiplied.
  double factor_bytes = 2;
  /// Decode: new tokens of each sequence, which share its keys as the query heads of a group do.
  double new_tokens = 1;
  /// Number of times that multiprocessors load a cached token: once if query heads share it, heads / kv_heads times in
  /// vLLM's first paged attention, which does not use tensor cores.
  double reads = 1;
  /// The second-level cache holds the whole KV cache, as when a kernel is measured again and again.
  bool is_cached = false;
};

/// Sequences with equal context.
struct SequenceGroup {
  double count = 1;
  double context = 1;
};
/// Decode: `new_tokens` of each sequence. The time of an empty batch is 0.
KernelTime decode_attention(const Card& card, const AttentionShape& shape, std::span<const SequenceGroup> groups);

/// Prefill: `chunk` new tokens of each of `sequences` prompts, causal, after `earlier` tokens that are in the KV cache.
struct PrefillChunk {
  double chunk = 1;
  double earlier = 0;
  double sequences = 1;
  /// Keys that a query sees at most.
  double window = std::numeric_limits<double>::infinity();
};
KernelTime prefill_attention(const Card& card, const AttentionShape& shape, const PrefillChunk& prefill);

/// A step with chunks of prompts: one kernel serves all sequences, without splitting long ones and without query heads
/// that share keys, so that each decode is a tile of its own for each query head, over its whole context. With neither
/// prompts nor decodes the time is 0.
KernelTime mixed_attention(const Card& card, const AttentionShape& shape, std::span<const PrefillChunk> prompts,
                           std::span<const SequenceGroup> decodes);

/// Mixture of gated feed-forward layers, `per_token` of which are used per token.
struct ExpertsShape {
  double tokens = 1;
  /// Experts of the whole layer.
  double experts = 1;
  double per_token = 1;
  double hidden = 1;
  double width = 1;
  double weight_bytes = 2;
  double value_bytes = 2;
  /// See DenseShape.
  double factor_bytes = 2;
  double working_set = std::numeric_limits<double>::infinity();
};
/// Experts with equal numbers of tokens; the expected number of experts with a token may be a fraction.
struct ExpertGroup {
  double count = 1;
  double tokens = 1;
};
/// The experts of one GPU; `shape.tokens` are those of the whole layer.
KernelTime experts(const Card& card, const ExpertsShape& shape, std::span<const ExpertGroup> groups);

/// One expert with `tokens` tokens among the experts of a layer, without the latency of the layer: thread blocks of
/// other experts fill its partial waves. Times of experts add up to the time of the layer.
KernelTime expert(const Card& card, const ExpertsShape& layer, double tokens);

}  // namespace pimsweep::hardware::gpu::serving
