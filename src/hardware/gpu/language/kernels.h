#pragma once

#include <limits>
#include <span>

#include "hardware/gpu/language/card.h"

namespace pimsweep::hardware::gpu::language {

/// Time of one kernel (or of the few kernels of a layer), bytes between second-level cache and memory, and operations
/// of the layer itself (a multiply-add counts as two). Equations and accuracy: docs/llm-gpu.md. All functions are pure;
/// none is slower with more bandwidth, clock or multiprocessors, or faster with more tokens or context. Counts and
/// sizes are positive; heads, columns and widths are those on one GPU.
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
  /// Bytes of weights read between two uses of these weights; weights that stay in the cache are not read from memory.
  double working_set = std::numeric_limits<double>::infinity();
};
KernelTime dense(const Card& card, const DenseShape& shape);

/// The language-model head is the dense layer of the sequences of a step; its weights are never cached.
KernelTime head(const Card& card, double sequences, double hidden, double vocabulary, double weight_bytes = 2);

/// Greedy sampling: conversion to fp32, argmax.
KernelTime sampler(const Card& card, double sequences, double vocabulary);

/// Heads of an attention layer on one GPU.
struct AttentionShape {
  double heads = 1;
  double kv_heads = 1;
  /// Values per key and per value. Latent attention: one key head, key_size 576, value_size 512.
  double key_size = 1;
  double value_size = 1;
  /// Bytes per token in the KV cache, over all key heads. Latent attention: its 576 values once.
  double cache_bytes = 0;
  /// Number of times that multiprocessors load a cached token: once if query heads share it (FlashAttention 2), heads /
  /// kv_heads times in vLLM's older paged attention, which does not use tensor cores.
  double reads = 1;
};

/// Sequences with equal context.
struct SequenceGroup {
  double count = 1;
  double context = 1;
};
/// Decode: one new token per sequence. The time of an empty batch is 0.
KernelTime decode_attention(const Card& card, const AttentionShape& shape, std::span<const SequenceGroup> groups);

/// Prefill: `chunk` new tokens of each of `sequences` prompts, causal, after `earlier` tokens that are in the KV cache.
struct PrefillChunk {
  double chunk = 1;
  double earlier = 0;
  double sequences = 1;
};
KernelTime prefill_attention(const Card& card, const AttentionShape& shape, const PrefillChunk& prefill);

/// Mixture of gated feed-forward layers, `per_token` of which are used per token; `active`: experts with at least one
/// token.
struct ExpertsShape {
  double tokens = 1;
  double active = 1;
  double per_token = 1;
  double hidden = 1;
  double width = 1;
  double weight_bytes = 2;
  double value_bytes = 2;
  /// See DenseShape.
  double working_set = std::numeric_limits<double>::infinity();
};
KernelTime experts(const Card& card, const ExpertsShape& shape);

/// One expert with `tokens` tokens among the experts of a layer, without the latency of the layer: thread blocks of
/// other experts fill its partial waves. Times of experts add up to the time of the layer.
KernelTime expert(const Card& card, const ExpertsShape& layer, double tokens);

/// A kernel without GEMMs. `bytes`: total read and written; `trips`: dependent memory accesses of a thread.
struct ElementwiseShape {
  double bytes = 0;
  double blocks = 1;
  double trips = 1;
  double operations = 0;
};
KernelTime elementwise(const Card& card, const ElementwiseShape& shape);

/// Embedding: table rows of tokens.
KernelTime embedding(const Card& card, double tokens, double hidden, double value_bytes = 2);
/// Normalization of `rows` vectors of `columns`; with `residual` a second input is added and the sum is also written.
KernelTime normalization(const Card& card, double rows, double columns, bool residual, double value_bytes = 2);
/// Rotary embedding of queries and keys, `values` per token.
KernelTime rotary(const Card& card, double tokens, double values, double value_bytes = 2);
/// Activation of `width` values per token; `gated`: multiplied by a second input.
KernelTime activation(const Card& card, double tokens, double width, bool gated, double value_bytes = 2);

}  // namespace pimsweep::hardware::gpu::language
