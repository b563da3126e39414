#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/words.h"

namespace pimsweep::workload::decoder {

enum class Activation : std::uint8_t { gelu, relu, silu };
inline constexpr Words<Activation, 3> activation_words{
    {{"gelu", Activation::gelu}, {"relu", Activation::relu}, {"silu", Activation::silu}}};

/// Normalization of tokens: with mean and offset; by the root of the mean square with a scale alone; with mean and a
/// scale alone; with mean and nothing that is learned.
enum class Norm : std::uint8_t { layer, rms, layer_scale, layer_plain };
inline constexpr Words<Norm, 4> norm_words{{{"layer", Norm::layer},
                                            {"rms", Norm::rms},
                                            {"layer-scale", Norm::layer_scale},
                                            {"layer-plain", Norm::layer_plain}}};

/// Where a block normalizes: before attention and before the feed-forward network; after both; before and after each;
/// or once, for both to read.
enum class NormPlacement : std::uint8_t { before, after, around, shared };
inline constexpr Words<NormPlacement, 4> norm_placement_words{{{"before", NormPlacement::before},
                                                               {"after", NormPlacement::after},
                                                               {"around", NormPlacement::around},
                                                               {"shared", NormPlacement::shared}}};

/// Position encoding: a learned table, rotation of queries and keys, or a fixed bias on scores that grows with the
/// distance (ALiBi, Press et al., arXiv 2108.12409).
enum class Position : std::uint8_t { learned, rotary, alibi };
inline constexpr Words<Position, 3> position_words{
    {{"learned", Position::learned}, {"rotary", Position::rotary}, {"alibi", Position::alibi}}};

/// Latent attention (DeepSeek-V2, arXiv 2405.04434, Sec. 2.1): queries are computed from one small vector, keys and
/// values from a second one. The KV cache holds only the second vector and one rotated key that all heads share. Sizes
/// are elements per head unless stated otherwise.
struct Latent {
  /// Elements of the vector from which queries are computed; 0: they are computed from the token itself.
  std::int64_t query_rank = 0;
  /// Elements of the cached vector of a token, for all heads; 0: no latent attention.
  std::int64_t cache_rank = 0;
  /// Rotated elements of a query, and of the key that all heads share.
  std::int64_t rotary_size = 0;

  explicit operator bool() const { return cache_rank != 0; }
  friend bool operator==(const Latent&, const Latent&) = default;
};

/// Mixture of experts: a feed-forward network in which each token uses only a few experts.
struct Experts {
  /// Routed experts of a block; 0: none.
  std::int64_t count = 0;
  std::int64_t hidden = 0;
  std::int64_t per_token = 0;
  /// Experts that all tokens use.
  std::int64_t shared = 0;
  /// Number of leading blocks that have a dense feed-forward network instead.
  std::int64_t dense_blocks = 0;
  /// After the dense blocks, the last of every `every` blocks has experts.
  std::int64_t every = 1;
  /// Width of a shared expert; 0: that of the routed ones.
  std::int64_t shared_hidden = 0;
  /// True if the output of the shared experts is scaled by a gate computed from the token.
  bool shared_gate = false;

  explicit operator bool() const { return count != 0; }
  /// Width of all shared experts side by side.
  std::int64_t shared_width() const { return shared * (shared_hidden == 0 ? hidden : shared_hidden); }
  friend bool operator==(const Experts&, const Experts&) = default;
};

/// Number formats of a checkpoint. Everything not listed here has 16 bits: always embedding, norms, biases and routers.
struct Storage {
  /// Bits of a weight in quantized matrices, including its share of the scales.
  double weight_bits = 16;
  bool attention = false;
  /// Feed-forward networks of blocks without experts.
  bool feed_forward = false;
  bool experts = false;
  bool shared_experts = false;
  bool head = false;
  double cache_bits = 16;

  friend bool operator==(const Storage&, const Storage&) = default;
};

/// Decoder-only language model: a chain of blocks, each with attention and a feed-forward network. It describes the
/// network only; batch, lengths and tensor parallelism are arguments of make_step() (decoder/step.h), which turns a
/// Decoder into the operators of one step:
///
///     Step step;
///     make_step(decoder, {{{.count = 32, .new_tokens = 1, .context = 1024}}}, Bits{}, 1, step);
///     for (const Operator& op : step.operators) time += op.times * gpu.time(op);
///
/// Sizes are elements. Limits: no cross attention, no state-space or linear attention layers; all blocks have the same
/// attention, except for its window.
struct Decoder {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t blocks = 0;
  std::int64_t heads = 0;
  /// Key-value heads: fewer than `heads` if several query heads share one.
  std::int64_t kv_heads = 0;
  /// Elements of a query, key or value of a head; with latent attention, only those that are not rotated.
  std::int64_t head_size = 0;
  /// Width of the feed-forward network of blocks without experts; 0 where all have them.
  std::int64_t ffn = 0;
  /// Gated feed-forward network, such as SwiGLU: the activation of one GEMM is multiplied element by element with the
  /// result of a second one.
  bool gated = false;
  Activation activation = Activation::gelu;
  Norm norm = Norm::layer;
  NormPlacement norm_placement = NormPlacement::before;
  /// Attention and the feed-forward network read the same tokens, and their outputs are added in one sum.
  bool parallel = false;
  /// Embedded tokens are normalized.
  bool embedding_norm = false;
  /// Queries and keys of each head are normalized too.
  bool query_key_norm = false;
  /// That norm has a scale for each element of all heads rather than one for the elements of a head.
  bool query_key_norm_of_all = false;
  Position position = Position::rotary;
  /// Maximum number of tokens: entries of a learned table, or the context that the model was trained for.
  std::int64_t positions = 0;
  /// Tokens that a token attends to at most, itself included; 0: all.
  std::int64_t window = 0;
  /// Blocks, counted from 1 and ascending, whose attention ignores the window.
  std::vector<std::int64_t> full_blocks = {};
  /// Each head has a learned score that takes part in the softmax.
  bool sinks = false;
  /// True if all linear layers of blocks have a bias. If false, the following flags add one to the projections of
  /// queries, keys and values, to the output of attention, and to feed-forward networks including experts and routers.
  bool bias = false;
  bool qkv_bias = false;
  bool output_bias = false;
  bool ffn_bias = false;
  bool head_bias = false;
  /// True if the LM head shares the matrix of the embedding.
  bool tied = false;
  Latent latent = {};
  Experts experts = {};
  Storage storage = {};

  bool has_qkv_bias() const { return bias || qkv_bias; }
  bool has_output_bias() const { return bias || output_bias; }
  bool has_ffn_bias() const { return bias || ffn_bias; }
  /// Number of blocks with experts, and with a dense feed-forward network.
  std::int64_t expert_blocks() const { return experts ? (blocks - experts.dense_blocks) / experts.every : 0; }
  std::int64_t dense_blocks() const { return blocks - expert_blocks(); }
  /// True if a block, counted from 1, has experts.
  bool has_experts(std::int64_t block) const {
    return experts && block > experts.dense_blocks && (block - experts.dense_blocks) % experts.every == 0;
  }
  /// Tokens that a token of a block, counted from 1, attends to at most; 0: all.
  std::int64_t window_of(std::int64_t block) const {
    return std::binary_search(full_blocks.begin(), full_blocks.end(), block) ? 0 : window;
  }
  /// Matrices of a feed-forward network or of an expert.
  std::int64_t feed_forward_matrices() const { return gated ? 3 : 2; }
  /// Norms of a block over all channels of a token.
  std::int64_t block_norms() const {
    return norm_placement == NormPlacement::shared ? 1 : norm_placement == NormPlacement::around ? 4 : 2;
  }

  friend bool operator==(const Decoder&, const Decoder&) = default;
};

}  // namespace pimsweep::workload::decoder
