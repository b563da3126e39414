#pragma once

#include <limits>
#include <span>

#include "hardware/gpu/language/card.h"

namespace pimsweep::hardware::gpu::language {

/// Time of one kernel (or of the few that make up a layer), bytes between second-level cache and memory, and operations
/// of the layer itself (a multiply-add counts as two). Equations and accuracy: docs/llm-gpu.md. All functions are pure;
/// none is slower with more bandwidth, clock or multiprocessors, or faster with more tokens or context. Counts and
/// sizes are positive; those of heads, columns and width are what one card holds.
struct KernelTime {
  double seconds = 0;
  double memory_bytes = 0;
  double operations = 0;
};

/// [tokens, inner] x [inner, columns].
struct DenseShape {
  double tokens = 1;
  double inner = 1;
  double columns = 1;
  double weight_bytes = 2;
  double value_bytes = 2;
  /// Bytes of weights that are read between two uses of these; if the cache holds them, they do not come from memory.
  double working_set = std::numeric_limits<double>::infinity();
};
KernelTime dense(const Card& card, const DenseShape& shape);

/// The language-model head is the dense layer of the sequences of a step; its weights are never in the cache.
KernelTime head(const Card& card, double sequences, double hidden, double vocabulary, double weight_bytes = 2);

/// Greedy choice of a token: conversion to fp32, largest value.
KernelTime sampler(const Card& card, double sequences, double vocabulary);

/// Heads of an attention layer on one card.
struct AttentionShape {
  double heads = 1;
  double kv_heads = 1;
  /// Values of a key and of a value. Latent attention: one key head, key_size 576, value_size 512.
  double key_size = 1;
  double value_size = 1;
  /// Bytes of one token in the cache, all key heads. Latent attention: its 576 values once.
  double cache_bytes = 0;
  /// How often multiprocessors load a cached token: once where query heads share it (FlashAttention 2), heads /
  /// kv_heads times by vLLM's older paged attention, which does not use tensor cores.
  double reads = 1;
};

/// Sequences of equal context.
struct SequenceGroup {
  double count = 1;
  double context = 1;
};
/// One new token of each sequence. The time of an empty batch is 0.
KernelTime decode_attention(const Card& card, const AttentionShape& shape, std::span<const SequenceGroup> groups);

/// `chunk` new tokens of each of `sequences` prompts, causal, after `earlier` tokens that are in the cache.
struct PrefillChunk {
  double chunk = 1;
  double earlier = 0;
  double sequences = 1;
};
KernelTime prefill_attention(const Card& card, const AttentionShape& shape, const PrefillChunk& prefill);

/// Gated feed-forward layers of which each token takes `per_token`; `active`: experts with at least one token.
struct ExpertsShape {
  double tokens = 1;
  double active = 1;
  double per_token = 1;
  double hidden = 1;
  double width = 1;
  double weight_bytes = 2;
  double value_bytes = 2;
  /// As in DenseShape.
  double working_set = std::numeric_limits<double>::infinity();
};
KernelTime experts(const Card& card, const ExpertsShape& shape);

/// An expert with `tokens` tokens among others of a layer, without the latency of the layer: thread blocks of the
/// others fill the waves of its own. Times of experts add up to those of the layer.
KernelTime expert(const Card& card, const ExpertsShape& layer, double tokens);

/// A kernel without products. `bytes`: all that it reads and writes; `trips`: memory accesses of a thread that wait for
/// each other.
struct ElementwiseShape {
  double bytes = 0;
  double blocks = 1;
  double trips = 1;
  double operations = 0;
};
KernelTime elementwise(const Card& card, const ElementwiseShape& shape);

/// Table rows of tokens.
KernelTime embedding(const Card& card, double tokens, double hidden, double value_bytes = 2);
/// Normalization of `rows` vectors of `columns`; with `residual` a second input is added and written too.
KernelTime normalization(const Card& card, double rows, double columns, bool residual, double value_bytes = 2);
/// Rotation of queries and keys, `values` in each token.
KernelTime rotary(const Card& card, double tokens, double values, double value_bytes = 2);
/// Activation of `width` values of each token; `gated`: times a second input.
KernelTime activation(const Card& card, double tokens, double width, bool gated, double value_bytes = 2);

}  // namespace pimsweep::hardware::gpu::language
