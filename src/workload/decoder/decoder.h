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

/// How the position of a token enters: by a learned table, by rotating queries and keys, or by a fixed bias on scores
/// that grows with the distance (ALiBi, Press et al., arXiv 2108.12409).
enum class Position : std::uint8_t { learned, rotary, alibi };
inline constexpr Words<Position, 3> position_words{
    {{"learned", Position::learned}, {"rotary", Position::rotary}, {"alibi", Position::alibi}}};

/// Latent attention (DeepSeek-V2, arXiv 2405.04434, Sec. 2.1): queries and keys with values are made of two small
/// vectors, of which the second one, and one rotated key that all heads share, are all that is cached. Sizes are
/// elements for each head where not said otherwise.
struct Latent {
  /// Elements of the vector that queries are made of; 0: they are made of the token itself.
  std::int64_t query_rank = 0;
  /// Elements of the cached vector of a token, for all heads; 0: no latent attention.
  std::int64_t cache_rank = 0;
  /// Rotated elements of a query, and of the key that all heads share.
  std::int64_t rotary_size = 0;

  explicit operator bool() const { return cache_rank != 0; }
  friend bool operator==(const Latent&, const Latent&) = default;
};

/// A feed-forward network of experts, a few of which each token passes through.
struct Experts {
  /// Routed experts of a block; 0: none.
  std::int64_t count = 0;
  std::int64_t hidden = 0;
  std::int64_t per_token = 0;
  /// Experts that all tokens pass through.
  std::int64_t shared = 0;
  /// The first blocks, which have a feed-forward network of their own instead.
  std::int64_t dense_blocks = 0;
  /// Of the blocks after those, the last one of every so many has experts.
  std::int64_t every = 1;
  /// Width of a shared expert; 0: that of the routed ones.
  std::int64_t shared_hidden = 0;
  /// A factor for the output of the shared experts is computed from the token.
  bool shared_gate = false;

  explicit operator bool() const { return count != 0; }
  /// Width of all shared experts side by side.
  std::int64_t shared_width() const { return shared * (shared_hidden == 0 ? hidden : shared_hidden); }
  friend bool operator==(const Experts&, const Experts&) = default;
};

/// Bits in which a checkpoint stores the numbers of a model. Whatever is not listed here has 16 bits: embedding, norms,
/// biases and routers always.
struct Storage {
  /// Bits of a weight in the matrices that are quantized, their share of scales included.
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

/// A language model that generates one token after another: a chain of blocks of attention and a feed-forward network.
/// Sizes are elements.
struct Decoder {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t blocks = 0;
  std::int64_t heads = 0;
  /// Heads of keys and values: fewer than `heads` where several heads of queries share one.
  std::int64_t kv_heads = 0;
  /// Elements of a query, key or value of a head; with latent attention, those of them that are not rotated.
  std::int64_t head_size = 0;
  /// Width of the feed-forward network of blocks without experts; 0 where all have them.
  std::int64_t ffn = 0;
  /// Two matrices side by side, one through the activation, and their product: SwiGLU and its relatives.
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
  /// Tokens that the model can hold: entries of a learned table, or the context that it was trained for.
  std::int64_t positions = 0;
  /// Tokens that a token attends to at most, itself included; 0: all.
  std::int64_t window = 0;
  /// Blocks, counted from 1 and ascending, in which tokens attend to all others in spite of the window.
  std::vector<std::int64_t> full_blocks = {};
  /// Each head has a learned score that takes part in the softmax.
  bool sinks = false;
  /// Linear layers of blocks have a bias; where they do not, those of queries, keys and values, the output of attention
  /// and those of feed-forward networks (experts and their routers included) may have one.
  bool bias = false;
  bool qkv_bias = false;
  bool output_bias = false;
  bool ffn_bias = false;
  bool head_bias = false;
  /// The head that predicts tokens has the matrix of the embedding.
  bool tied = false;
  Latent latent = {};
  Experts experts = {};
  Storage storage = {};

  bool has_qkv_bias() const { return bias || qkv_bias; }
  bool has_output_bias() const { return bias || output_bias; }
  bool has_ffn_bias() const { return bias || ffn_bias; }
  /// Blocks with experts, and those with a feed-forward network of their own.
  std::int64_t expert_blocks() const { return experts ? (blocks - experts.dense_blocks) / experts.every : 0; }
  std::int64_t dense_blocks() const { return blocks - expert_blocks(); }
  /// Whether a block, counted from 1, has experts.
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
