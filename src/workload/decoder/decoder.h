#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"

namespace pimsweep::workload::decoder {

enum class Activation : std::uint8_t { gelu, relu, silu };
inline constexpr Words<Activation, 3> activation_words{
    {{"gelu", Activation::gelu}, {"relu", Activation::relu}, {"silu", Activation::silu}}};

/// Normalization of tokens: with mean and offset, or by the root of the mean square with a scale alone.
enum class Norm : std::uint8_t { layer, rms };
inline constexpr Words<Norm, 2> norm_words{{{"layer", Norm::layer}, {"rms", Norm::rms}}};

/// How tokens know their place: by a learned table, or by rotating queries and keys.
enum class Position : std::uint8_t { learned, rotary };
inline constexpr Words<Position, 2> position_words{{{"learned", Position::learned}, {"rotary", Position::rotary}}};

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
  /// Experts of the same size that all tokens pass through.
  std::int64_t shared = 0;
  /// The first blocks, which have a feed-forward network of their own instead.
  std::int64_t dense_blocks = 0;

  explicit operator bool() const { return count != 0; }
  friend bool operator==(const Experts&, const Experts&) = default;
};

/// A language model that generates one token after another: a chain of equal blocks of attention and a feed-forward
/// network. Sizes are elements.
struct Decoder {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t blocks = 0;
  std::int64_t heads = 0;
  /// Heads of keys and values: fewer than `heads` where several heads of queries share one.
  std::int64_t kv_heads = 0;
  /// Elements of a query, key or value of a head; with latent attention, those of them that are not rotated.
  std::int64_t head_size = 0;
  /// Width of the feed-forward network of blocks without experts.
  std::int64_t ffn = 0;
  /// Two matrices side by side, one through the activation, and their product: SwiGLU and its relatives.
  bool gated = false;
  Activation activation = Activation::gelu;
  Norm norm = Norm::layer;
  /// Queries and keys of each head are normalized too.
  bool query_key_norm = false;
  Position position = Position::rotary;
  /// Tokens that the model can hold: entries of a learned table, or the context that it was trained for.
  std::int64_t positions = 0;
  /// Tokens that a token attends to at most, itself included; 0: all.
  std::int64_t window = 0;
  /// Linear layers have a bias; those of queries, keys and values may have one alone.
  bool bias = false;
  bool qkv_bias = false;
  /// The head that predicts tokens has the matrix of the embedding.
  bool tied = false;
  Latent latent = {};
  Experts experts = {};

  /// Blocks with a feed-forward network of their own, and those with experts.
  std::int64_t dense_blocks() const { return experts ? experts.dense_blocks : blocks; }
  std::int64_t expert_blocks() const { return blocks - dense_blocks(); }
  /// Matrices of a feed-forward network or of an expert.
  std::int64_t feed_forward_matrices() const { return gated ? 3 : 2; }

  friend bool operator==(const Decoder&, const Decoder&) = default;
};

}  // namespace pimsweep::workload::decoder
