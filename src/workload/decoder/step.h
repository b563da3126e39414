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

/// Group of equal sequences in a step: each processes `new_tokens` tokens after `context` tokens whose keys and values
/// are in the KV cache.
struct Sequences {
  double count = 1;
  double new_tokens = 1;
  double context = 0;
  /// True if new tokens are a prompt or a part of one (prefill); otherwise they were generated (decode).
  bool is_prompt = false;
  /// New tokens per sequence for which the next token is predicted: the last one, or all draft tokens of speculative
  /// decoding.
  double predicted = 1;

  /// True if its tokens are generated (decode).
  bool generates() const { return !is_prompt; }
};

/// Bits of each number. 0 of weights and of the cache: those of the checkpoint (Decoder::storage).
struct Bits {
  double weights = 16;
  double cache = 16;
  double activations = 16;
  /// Factors of GEMMs as they are multiplied: below 16, kernels convert activations, which stay as they are.
  double factors = 16;
};

/// Kind of an operator of a step.
enum class Kind : std::uint8_t {
  embedding,
  norm,
  linear,
  rotary,
  /// Attention of decoding sequences, and of prompts.
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

constexpr bool is_gemm(Kind kind) { return kind == Kind::linear || kind == Kind::head; }

/// The part of the model that an operator belongs to: the non-block layers (embedding, last norm, head), or a half of a
/// block.
enum class Part : std::uint8_t { non_block, attention, feed_forward };

/// Operator as run on one GPU. Counts are per execution.
struct Operator {
  std::string_view name;
  Kind kind = Kind::linear;
  Part part = Part::non_block;
  /// Executions per step: one per block, or one in all.
  double times = 1;
  /// A GEMM has `rows` x `inner` by `inner` x `columns` elements. Other operators have `rows` rows of `inner` elements:
  /// one per token, or one per token and head if heads are normalized separately.
  double rows = 0;
  double inner = 0;
  double columns = 0;
  /// Number of GEMMs: experts that at least one token uses; `rows` are then those of one expert.
  double products = 1;
  /// Arithmetic operations; a multiply-accumulate counts as two.
  double operations = 0;
  /// Bits of a weight.
  double weight_bits = 16;
  double weight_bytes = 0;
  /// Bytes of the KV cache that are read, for earlier tokens, and written, for new tokens.
  double cache_read = 0;
  double cache_written = 0;
  double input_bytes = 0;
  double output_bytes = 0;

  double bytes() const { return weight_bytes + cache_read + cache_written + input_bytes + output_bytes; }
};

/// Attention of one block on one GPU.
struct AttentionShape {
  double heads = 0;
  double kv_heads = 0;
  /// Elements of a query and a key of a head, and of a value.
  double key_size = 0;
  double value_size = 0;
  /// Latent attention: values are the first elements of keys, so that one read serves both.
  bool values_in_keys = false;

  /// Elements in the KV cache per position of a sequence.
  double cached_elements() const { return kv_heads * (key_size + (values_in_keys ? 0 : value_size)); }
};

/// Work of one GPU in a step, in the order of execution. With several GPUs, each has a share of the heads and of the
/// columns of the feed-forward network (tensor parallelism, Shoeybi et al., arXiv 1909.08053, Sec. 3), and two
/// all-reduces per block add the partial sums.
struct Step {
  std::vector<Sequences> sequences;
  std::vector<Operator> operators;
  AttentionShape attention;
  /// As in Decoder, and the share of blocks whose attention ignores it. Attention operators are means over all blocks.
  std::int64_t window = 0;
  double full_share = 0;
  /// New tokens of all sequences with padding, and tokens that are predicted.
  double tokens = 0;
  double predicted = 0;
  /// Load of each expert of a block on the GPU, if the model has any, and the expected number of experts that at least
  /// one token uses. Where GPUs have different experts: on the busiest one.
  std::vector<ExpertLoad> experts = {};
  double active_experts = 0;
  /// Tokens of a GPU's experts on average, relative to those on the busiest GPU.
  double expert_balance = 1;
  /// True if tokens do not choose experts uniformly.
  bool is_skewed = false;
};

struct StepOptions {
  /// Probability with which a token chooses each expert, at random; empty: all alike.
  std::span<const double> routing = {};
  /// Groups of the GPUs, each with a part of the experts, in their order; the GPUs of a group divide each expert. All
  /// GPUs have all tokens after attention, so that nothing is sent before the experts, and the all-reduce after them
  /// adds what each group has computed (vLLM's expert parallelism without data parallelism).
  std::int64_t expert_parallel = 1;
  /// Tokens to which all layers but attention and the head are padded.
  double min_tokens = 0;
};

/// Fills `step`, reusing its memory; `products` is the expected number of experts that at least one token uses. Throws
/// PointError if `gpus` does not divide the heads.
void make_step(const Decoder& decoder, std::span<const Sequences> sequences, const Bits& bits, std::int64_t gpus,
               Step& step, const StepOptions& options = {});

/// Bits with those of a checkpoint in place of 0; weights stay 0 where not all of them have the same.
Bits resolved(Bits bits, const Decoder& decoder);

/// Elements that a sequence of so many tokens takes in the KV caches of all blocks on one GPU. Blocks with a window
/// hold no more tokens than it has. If there are fewer key-value heads than GPUs, heads are replicated, as is a latent
/// vector.
double cached_elements(const Decoder& decoder, std::int64_t gpus, double tokens);

/// Positions that the new tokens of a sequence attend to, summed over tokens, and positions that are read once for all
/// of them: with a window (0: none), and on average over the blocks of a step.
double attended_positions(const Sequences& sequences, std::int64_t window);
double read_positions(const Sequences& sequences, std::int64_t window);
double attended_positions(const Sequences& sequences, const Step& step);
double read_positions(const Sequences& sequences, const Step& step);

}  // namespace pimsweep::workload::decoder
