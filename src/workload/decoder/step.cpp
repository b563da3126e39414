#include "workload/decoder/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "workload/decoder/parameters.h"

namespace pimsweep::workload::decoder {

namespace {

double share_of(std::int64_t number, std::int64_t gpus) {
  return static_cast<double>(number) / static_cast<double>(gpus);
}

/// Key-value heads on each GPU: at least one.
double kv_share(std::int64_t kv_heads, std::int64_t gpus) { return std::max(1.0, share_of(kv_heads, gpus)); }

/// Adds the operators of one step for one GPU.
class StepMaker {
 public:
  StepMaker(const Decoder& decoder, const Bits& bits, std::int64_t gpus, std::int64_t expert_groups, Step& step)
      : d_(decoder),
        weight_bits_(bits.weights),
        cache_(resolved(bits, decoder).cache / 8),
        value_(bits.activations / 8),
        gpus_(gpus),
        expert_groups_(expert_groups),
        step_(step) {}

  void make();

 private:
  Operator& add(std::string_view name, Kind kind, double times) {
    return step_.operators.emplace_back(Operator{.name = name, .kind = kind, .part = part_, .times = times});
  }
  void add_linear(std::string_view name, double times, double inner, double columns, bool bias, double weight_bits);
  /// Adds an operator with one GEMM per head.
  void add_by_head(std::string_view name, double inner, double columns);
  /// `inputs` tensors are read and `outputs` written of `elements` each token.
  void add_pass(std::string_view name, Kind kind, double times, double elements, double inputs, double outputs,
                double operations_each);
  void add_embedding();
  void add_norm(std::string_view name, double times);
  /// A normalization of each head: a row of its elements for each token and head.
  void add_head_norm(std::string_view name, double heads);
  void add_queries();
  void add_latent_queries();
  /// Adds attention of decoding sequences or of prompts, if there are any.
  void add_attention(std::string_view name, Kind kind);
  void add_all_reduce(std::string_view name, double times);
  void add_feed_forward(std::string_view first, std::string_view middle, std::string_view last, double times,
                        double width, double weight_bits);
  void add_experts(double times);
  void add_head();

  const Decoder& d_;
  /// Bits of all weights; 0: those of the checkpoint.
  double weight_bits_;
  /// Bytes of a cached number and of an activation.
  double cache_;
  double value_;
  std::int64_t gpus_;
  std::int64_t expert_groups_;
  Step& step_;
  /// Part of the model that the next operators belong to.
  Part part_ = Part::non_block;
  double hidden() const { return static_cast<double>(d_.hidden); }
  double blocks() const { return static_cast<double>(d_.blocks); }
  /// Bits of a weight of a part of the model that the checkpoint may have quantized.
  double bits_of(bool Storage::*part) const {
    if (weight_bits_ > 0) return weight_bits_;
    return d_.storage.*part ? d_.storage.weight_bits : unquantized_bits;
  }
  /// Bits of other weights.
  double other_bits() const { return weight_bits_ > 0 ? weight_bits_ : unquantized_bits; }
};

void StepMaker::add_linear(std::string_view name, double times, double inner, double columns, bool bias,
                           double weight_bits) {
  Operator& linear = add(name, Kind::linear, times);
  linear.rows = step_.tokens;
  linear.inner = inner;
  linear.columns = columns;
  linear.operations = 2 * step_.tokens * inner * columns;
  linear.weight_bits = weight_bits;
  linear.weight_bytes = inner * columns * weight_bits / 8 + (bias ? columns * value_ : 0);
  linear.input_bytes = step_.tokens * inner * value_;
  linear.output_bytes = step_.tokens * columns * value_;
}

void StepMaker::add_pass(std::string_view name, Kind kind, double times, double elements, double inputs, double outputs,
                         double operations_each) {
  Operator& pass = add(name, kind, times);
  pass.rows = step_.tokens;
  pass.inner = elements;
  pass.operations = operations_each * step_.tokens * elements;
  pass.input_bytes = inputs * step_.tokens * elements * value_;
  pass.output_bytes = outputs * step_.tokens * elements * value_;
}

void StepMaker::add_embedding() {
  Operator& table = add("embedding", Kind::embedding, 1);
  table.rows = step_.tokens;
  table.inner = hidden();
  const double rows_of_each = d_.position == Position::learned ? 2 : 1;
  table.operations = (rows_of_each - 1) * step_.tokens * hidden();
  table.weight_bytes = rows_of_each * step_.tokens * hidden() * other_bits() / 8;
  table.output_bytes = step_.tokens * hidden() * value_;
}

// The residual sum is part of the kernel: it reads a sum and a summand, and writes the new sum and its normalized form.
void StepMaker::add_norm(std::string_view name, double times) {
  add_pass(name, Kind::norm, times, hidden(), 2, 2, d_.norm == Norm::layer ? 7 : 5);
}

void StepMaker::add_head_norm(std::string_view name, double heads) {
  const double head_size = step_.attention.key_size;
  add_pass(name, Kind::norm, blocks(), heads * head_size, 1, 1, 5);
  step_.operators.back().rows = step_.tokens * heads;
  step_.operators.back().inner = head_size;
}

void StepMaker::add_by_head(std::string_view name, double inner, double columns) {
  add_linear(name, blocks(), inner, columns, false, bits_of(&Storage::attention));
  Operator& product = step_.operators.back();
  product.products = step_.attention.heads;
  product.operations *= product.products;
  product.weight_bytes *= product.products;
  product.input_bytes *= product.products;
  product.output_bytes *= product.products;
}

void StepMaker::add_queries() {
  const AttentionShape& a = step_.attention;
  add_linear("qkv", blocks(), hidden(), (a.heads + 2 * a.kv_heads) * a.key_size, d_.has_qkv_bias(),
             bits_of(&Storage::attention));
  const double rotated = (a.heads + a.kv_heads) * a.key_size;
  if (d_.query_key_norm) {
    add_head_norm("query_norm", a.heads);
    add_head_norm("key_norm", a.kv_heads);
  }
  if (d_.position == Position::rotary) add_pass("rotary", Kind::rotary, blocks(), rotated, 1, 1, 3);
}

// The GEMM that would compute keys from the cached vectors is applied to the query instead, and the one that would
// compute values is applied to the context (DeepSeek-V2, Sec. 2.1.2). Attention then reads the cached vectors directly.
void StepMaker::add_latent_queries() {
  const double heads = step_.attention.heads;
  const auto query_rank = static_cast<double>(d_.latent.query_rank);
  const auto cache_rank = static_cast<double>(d_.latent.cache_rank);
  const auto rotary = static_cast<double>(d_.latent.rotary_size);
  const auto head = static_cast<double>(d_.head_size);
  const double bits = bits_of(&Storage::attention);
  add_linear("latent_down", blocks(), hidden(), query_rank + cache_rank + rotary, false, bits);
  add_pass("latent_norm", Kind::norm, blocks(), query_rank + cache_rank, 1, 1, 5);
  add_linear("query_up", blocks(), query_rank > 0 ? query_rank : hidden(), heads * (head + rotary), false, bits);
  add_by_head("key_up", head, cache_rank);
  add_pass("rotary", Kind::rotary, blocks(), (heads + 1) * rotary, 1, 1, 3);
}

void StepMaker::add_attention(std::string_view name, Kind kind) {
  double tokens = 0;
  double attended = 0;
  double read = 0;
  for (const Sequences& some : step_.sequences) {
    if (some.is_prompt != (kind == Kind::prompt_attention)) continue;
    tokens += some.count * some.new_tokens;
    attended += some.count * attended_positions(some, step_);
    read += some.count * (read_positions(some, step_) - some.new_tokens);
  }
  if (tokens == 0) return;
  const AttentionShape& a = step_.attention;
  Operator& attention = add(name, kind, blocks());
  attention.rows = tokens;
  attention.inner = a.heads * a.key_size;
  attention.operations = 2 * a.heads * (a.key_size + a.value_size) * attended;
  // Keys and values of new tokens are inputs, and are stored in the KV cache.
  attention.cache_read = read * a.cached_elements() * cache_;
  attention.cache_written = tokens * a.cached_elements() * cache_;
  attention.input_bytes = tokens * (a.heads * a.key_size + a.cached_elements()) * value_;
  attention.output_bytes = tokens * a.heads * a.value_size * value_;
}

void StepMaker::add_all_reduce(std::string_view name, double times) {
  if (gpus_ > 1) add_pass(name, Kind::all_reduce, times, hidden(), 1, 1, 0);
}

void StepMaker::add_feed_forward(std::string_view first, std::string_view middle, std::string_view last, double times,
                                 double width, double weight_bits) {
  add_linear(first, times, hidden(), (d_.gated ? 2 : 1) * width, d_.has_ffn_bias(), weight_bits);
  add_pass(middle, Kind::activation, times, width, d_.gated ? 2 : 1, 1, d_.gated ? 5 : 4);
  add_linear(last, times, width, hidden(), d_.has_ffn_bias(), weight_bits);
}

void StepMaker::add_experts(double times) {
  const auto count = static_cast<double>(d_.experts.count);
  // Passages of a token through experts of the busiest GPU.
  const double chosen = share_of(d_.experts.per_token, expert_groups_) / step_.expert_balance;
  const double width = share_of(d_.experts.hidden, gpus_ / expert_groups_);
  const auto matrices = static_cast<double>(d_.feed_forward_matrices());
  add_linear("router", times, hidden(), count, d_.has_ffn_bias(), other_bits());
  if (d_.experts.shared > 0) {
    add_feed_forward("shared_up", "shared_activation", "shared_down", times, share_of(d_.experts.shared_width(), gpus_),
                     bits_of(&Storage::shared_experts));
  }
  Operator& experts = add("experts", Kind::experts, times);
  experts.products = step_.active_experts;
  experts.rows = step_.tokens * chosen / experts.products;
  experts.inner = hidden();
  experts.columns = width;
  experts.operations = 2 * matrices * step_.tokens * chosen * hidden() * width;
  experts.weight_bits = bits_of(&Storage::experts);
  experts.weight_bytes = experts.products * matrices * hidden() * width * experts.weight_bits / 8;
  experts.input_bytes = step_.tokens * hidden() * value_;
  experts.output_bytes = step_.tokens * hidden() * value_;
}

void StepMaker::add_head() {
  const double words = share_of(d_.vocabulary, gpus_);
  Operator& head = add("head", Kind::head, 1);
  head.rows = step_.predicted;
  head.inner = hidden();
  head.columns = words;
  head.operations = 2 * step_.predicted * hidden() * words;
  head.weight_bits = bits_of(&Storage::head);
  head.weight_bytes = hidden() * words * head.weight_bits / 8;
  head.input_bytes = step_.predicted * hidden() * value_;
  head.output_bytes = step_.predicted * words * value_;
  Operator& sampling = add("sampling", Kind::sampling, 1);
  sampling.rows = step_.predicted;
  sampling.inner = static_cast<double>(d_.vocabulary);
  sampling.operations = step_.predicted * sampling.inner;
  sampling.input_bytes = step_.predicted * sampling.inner * value_;
}

void StepMaker::make() {
  const auto dense = static_cast<double>(d_.dense_blocks());
  add_embedding();
  if (d_.embedding_norm) add_norm("embedding_norm", 1);
  part_ = Part::attention;
  // Norms have the same cost wherever they stand. A block that adds both halves in one sum has one all-reduce.
  const double norms = blocks() * static_cast<double>(d_.block_norms()) / 2;
  const bool has_one_norm = d_.norm_placement == NormPlacement::shared;
  add_norm("attention_norm", has_one_norm ? blocks() : norms);
  if (d_.latent) {
    add_latent_queries();
  } else {
    add_queries();
  }
  add_attention("attention", Kind::attention);
  add_attention("prompt_attention", Kind::prompt_attention);
  const AttentionShape& a = step_.attention;
  if (d_.latent) {
    add_by_head("value_up", static_cast<double>(d_.latent.cache_rank), static_cast<double>(d_.head_size));
  }
  add_linear("output", blocks(), a.heads * static_cast<double>(d_.head_size), hidden(), d_.has_output_bias(),
             bits_of(&Storage::attention));
  if (!d_.parallel) add_all_reduce("attention_all_reduce", blocks());
  part_ = Part::feed_forward;
  if (!has_one_norm) add_norm("ffn_norm", norms);
  if (dense > 0)
    add_feed_forward("ffn_up", "ffn_activation", "ffn_down", dense, share_of(d_.ffn, gpus_),
                     bits_of(&Storage::feed_forward));
  if (d_.experts) add_experts(static_cast<double>(d_.expert_blocks()));
  add_all_reduce("ffn_all_reduce", blocks());
  part_ = Part::non_block;
  add_norm("final_norm", 1);
  add_head();
}

AttentionShape attention_shape(const Decoder& d, std::int64_t gpus) {
  AttentionShape shape{.heads = share_of(d.heads, gpus),
                       .kv_heads = kv_share(d.kv_heads, gpus),
                       .key_size = static_cast<double>(d.head_size),
                       .value_size = static_cast<double>(d.head_size)};
  if (d.latent) {
    shape.kv_heads = 1;
    shape.key_size = static_cast<double>(d.latent.cache_rank + d.latent.rotary_size);
    shape.value_size = static_cast<double>(d.latent.cache_rank);
    shape.values_in_keys = true;
  }
  return shape;
}

/// Expected maximum of `groups` binomial numbers of `trials` trials.
double expected_maximum(std::int64_t trials, double probability, std::int64_t groups) {
  if (probability >= 1) return static_cast<double>(trials);
  double maximum = 0;
  double exactly = std::pow(1 - probability, static_cast<double>(trials));
  double at_most = exactly;
  for (std::int64_t i = 0; i < trials; ++i) {
    maximum += 1 - std::pow(std::min(1.0, at_most), static_cast<double>(groups));
    exactly *= share_of(trials - i, i + 1) * probability / (1 - probability);
    at_most += exactly;
  }
  return maximum;
}

/// Keeps the experts of the group with the most tokens.
void keep_busiest(std::int64_t groups, Step& step) {
  const std::ptrdiff_t size = std::ssize(step.experts) / groups;
  const auto passages = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    double sum = 0;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      const ExpertLoad& load = step.experts[static_cast<std::size_t>(i)];
      sum += load.active * load.tokens;
    }
    return sum;
  };
  std::ptrdiff_t busiest = 0;
  for (std::ptrdiff_t i = 1; i < groups; ++i) {
    if (passages(i * size, (i + 1) * size) > passages(busiest * size, (busiest + 1) * size)) busiest = i;
  }
  step.expert_balance =
      passages(0, groups * size) / static_cast<double>(groups) / passages(busiest * size, (busiest + 1) * size);
  step.experts.erase(step.experts.begin() + (busiest + 1) * size, step.experts.end());
  step.experts.erase(step.experts.begin(), step.experts.begin() + busiest * size);
}

void load_experts(const Experts& experts, const StepOptions& options, Step& step) {
  const std::int64_t groups = options.expert_parallel;
  step.experts.clear();
  step.active_experts = 0;
  step.expert_balance = 1;
  step.is_skewed = !options.routing.empty();
  if (step.is_skewed) {
    expert_loads(options.routing, step.tokens, step.experts);
    if (groups > 1) keep_busiest(groups, step);
    for (const ExpertLoad& load : step.experts) step.active_experts += load.active;
  } else if (experts) {
    const double chosen = share_of(experts.per_token, experts.count);
    const double active = 1 - std::pow(1 - chosen, step.tokens);
    const std::int64_t count = experts.count / groups;
    double busiest = active;
    if (groups > 1) {
      // As if experts were used independently of each other.
      busiest = expected_maximum(count, active, groups) / static_cast<double>(count);
      step.expert_balance = active / busiest;
    }
    step.experts.assign(static_cast<std::size_t>(count), {busiest, chosen * step.tokens / active});
    step.active_experts = static_cast<double>(count) * busiest;
  }
}

}  // namespace

double attended_positions(const Sequences& sequences, std::int64_t window) {
  const double context = sequences.context;
  const double tokens = sequences.new_tokens;
  const double all = tokens * context + tokens * (tokens + 1) / 2;
  if (window == 0) return all;
  // Tokens before the first whose window is full see all positions up to their own.
  const double limit = static_cast<double>(window);
  const double short_ones = std::clamp(limit - context, 0.0, tokens);
  return short_ones * context + short_ones * (short_ones + 1) / 2 + (tokens - short_ones) * limit;
}

double read_positions(const Sequences& sequences, std::int64_t window) {
  const double all = sequences.context + sequences.new_tokens;
  return window == 0 ? all : std::min(all, static_cast<double>(window) + sequences.new_tokens - 1);
}

double attended_positions(const Sequences& sequences, const Step& step) {
  const double windowed = attended_positions(sequences, step.window);
  if (step.full_share == 0) return windowed;
  return (1 - step.full_share) * windowed + step.full_share * attended_positions(sequences, 0);
}

double read_positions(const Sequences& sequences, const Step& step) {
  const double windowed = read_positions(sequences, step.window);
  if (step.full_share == 0) return windowed;
  return (1 - step.full_share) * windowed + step.full_share * read_positions(sequences, 0);
}

Bits resolved(Bits bits, const Decoder& decoder) {
  const Storage& storage = decoder.storage;
  if (bits.cache == 0) bits.cache = storage.cache_bits;
  if (bits.weights == 0 && storage.weight_bits == unquantized_bits) bits.weights = unquantized_bits;
  return bits;
}

double cached_elements(const Decoder& decoder, std::int64_t gpus, double tokens) {
  const auto full = static_cast<double>(decoder.window == 0 ? decoder.blocks : std::ssize(decoder.full_blocks));
  const double windowed = static_cast<double>(decoder.blocks) - full;
  const double held = full * tokens + windowed * std::min(tokens, static_cast<double>(decoder.window));
  return held * attention_shape(decoder, gpus).cached_elements();
}

void make_step(const Decoder& decoder, std::span<const Sequences> sequences, const Bits& bits, std::int64_t gpus,
               Step& step, const StepOptions& options) {
  if (decoder.heads % gpus != 0) {
    throw PointError(fmt::format("{} GPUs do not divide the {} heads of the model", gpus, decoder.heads));
  }
  step.sequences.assign(sequences.begin(), sequences.end());
  step.operators.clear();
  step.attention = attention_shape(decoder, gpus);
  step.window = decoder.window;
  step.full_share = decoder.window == 0 ? 0 : share_of(std::ssize(decoder.full_blocks), decoder.blocks);
  step.tokens = 0;
  step.predicted = 0;
  for (const Sequences& some : sequences) {
    step.tokens += some.count * some.new_tokens;
    step.predicted += some.count * some.predicted;
  }
  step.tokens = std::max(step.tokens, options.min_tokens);
  load_experts(decoder.experts, options, step);
  StepMaker(decoder, bits, gpus, options.expert_parallel, step).make();
}

}  // namespace pimsweep::workload::decoder
