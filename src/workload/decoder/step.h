#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "workload/decoder/decoder.h"
#include "workload/decoder/routing.h"

namespace pimsweep::workload::decoder {

/// Sequences of a step that are alike: each reads `new_tokens` tokens after the `context` ones of which keys and values
/// are cached.
struct Sequences {
  double count = 1;
  double new_tokens = 1;
  double context = 0;
  /// New tokens are a prompt or a part of it (prefill); else they were generated (decode).
  bool is_prompt = false;
  /// New tokens of each sequence after which the next token is predicted: the last one, or all that were only guessed.
  double predicted = 1;

  /// Its tokens are generated (decode).
  bool generates() const { return !is_prompt; }
};

/// Bits of each number.
struct Bits {
  double weights = 16;
  double cache = 16;
  double activations = 16;
};

/// What an operator of a step does.
enum class Kind : std::uint8_t {
  embedding,
  norm,
  linear,
  rotary,
  /// Of sequences that decode, and of prompts.
  attention,
  prompt_attention,
  activation,
  experts,
  all_reduce,
  head,
  sampling
};
inline constexpr Words<Kind, 11> kind_words{{{"embedding", Kind::embedding},
                                             {"norm", Kind::norm},
                                             {"linear", Kind::linear},
                                             {"rotary", Kind::rotary},
                                             {"attention", Kind::attention},
                                             {"prompt-attention", Kind::prompt_attention},
                                             {"activation", Kind::activation},
                                             {"experts", Kind::experts},
                                             {"all-reduce", Kind::all_reduce},
                                             {"head", Kind::head},
                                             {"sampling", Kind::sampling}}};

/// The part of the model that an operator belongs to: the non-block layers (embedding, last norm, head), or a half of a
/// block.
enum class Part : std::uint8_t { non_block, attention, feed_forward };

/// An operator as one card runs it. Counts are those of one time that it runs.
struct Operator {
  std::string_view name;
  Kind kind = Kind::linear;
  Part part = Part::non_block;
  /// Times that it runs in a step: in each block, or once.
  double times = 1;
  /// A GEMM has `rows` x `inner` by `inner` x `columns` elements. Other operators have `rows` rows of `inner` elements:
  /// one for each token, or for each token and head where heads are normalized one by one.
  double rows = 0;
  double inner = 0;
  double columns = 0;
  /// Products side by side: the experts that any token passes through; `rows` are then those of one expert.
  double products = 1;
  /// A multiply-accumulate is two.
  double operations = 0;
  double weight_bytes = 0;
  /// Keys and values of earlier tokens that are read, and those of new tokens that are stored.
  double cache_read = 0;
  double cache_written = 0;
  double input_bytes = 0;
  double output_bytes = 0;

  double bytes() const { return weight_bytes + cache_read + cache_written + input_bytes + output_bytes; }
};

/// Attention of one block on one card.
struct AttentionShape {
  double heads = 0;
  double kv_heads = 0;
  /// Elements of a query and a key of a head, and of a value.
  double key_size = 0;
  double value_size = 0;
  /// Latent attention: values are the first elements of keys, so that reading these once is enough.
  bool values_in_keys = false;

  /// Elements that a position of a sequence takes in the cache.
  double cached_elements() const { return kv_heads * (key_size + (values_in_keys ? 0 : value_size)); }
};

/// Everything that one of some cards computes for a step, in the order of execution. With several cards, each has a
/// share of the heads and of the columns of the feed-forward network (tensor parallelism, Shoeybi et al., arXiv
/// 1909.08053, Sec. 3), and partial sums are added by two all-reduces in each block.
struct Step {
  std::vector<Sequences> sequences;
  std::vector<Operator> operators;
  AttentionShape attention;
  /// As in Decoder.
  std::int64_t window = 0;
  /// New tokens of all sequences, and tokens that are predicted.
  double tokens = 0;
  double predicted = 0;
  /// Experts of a block, if the model has any, and how many of them any token is expected to pass through.
  std::vector<ExpertLoad> experts = {};
  double active_experts = 0;
  /// Tokens do not choose all experts alike.
  bool is_skewed = false;
};

/// Fills `step`, whose memory is kept. Experts are chosen at random, each by a token with its probability in `routing`,
/// or all alike where that is empty: `products` is the expected number of those that any token passes through. Throws
/// PointError if the cards do not divide the heads.
void make_step(const Decoder& decoder, std::span<const Sequences> sequences, const Bits& bits, std::int64_t cards,
               Step& step, std::span<const double> routing = {});

/// Elements of keys and values that one token takes in the caches of all blocks, on one of some cards. Fewer heads of
/// keys than cards are stored on several of them, as is a latent vector.
double cached_elements(const Decoder& decoder, std::int64_t cards);

/// Positions that the new tokens of a sequence attend to, summed over them, and positions that are read for all of them
/// together.
double attended_positions(const Sequences& sequences, std::int64_t window);
double read_positions(const Sequences& sequences, std::int64_t window);

}  // namespace pimsweep::workload::decoder
