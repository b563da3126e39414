#include "systems/llm/gpu_costs.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "hardware/gpu/language/kernels.h"
#include "systems/llm/expert_costs.h"

namespace pimsweep::systems::llm {

namespace {

namespace language = hardware::gpu::language;
using workload::decoder::Bits;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

language::AttentionShape attention_shape(const Cards& cards, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  return {.heads = a.heads,
          .kv_heads = a.kv_heads,
          .key_size = a.key_size,
          .value_size = a.value_size,
          .cache_bytes = a.cached_elements() * bits.cache / 8,
          .reads = cards.loads_by_head ? a.heads / a.kv_heads : 1};
}

// Guessed tokens of a sequence share its keys and values, as the heads of a group do.
language::KernelTime decode_attention(const Cards& cards, const Step& step, const Bits& bits) {
  language::KernelTime sum;
  double more_heads = 0;
  boost::container::small_vector<language::SequenceGroup, 16> groups;
  const auto run = [&] {
    if (groups.empty()) return;
    language::AttentionShape shape = attention_shape(cards, step, bits);
    shape.heads *= more_heads;
    const language::KernelTime time =
        language::decode_attention(cards.card, shape, std::span(groups.data(), groups.size()));
    sum.seconds += time.seconds;
    sum.memory_bytes += time.memory_bytes;
    groups.clear();
  };
  for (const Sequences& some : step.sequences) {
    if (some.is_prompt) continue;
    if (some.new_tokens != more_heads) run();
    more_heads = some.new_tokens;
    groups.push_back({some.count, workload::decoder::read_positions(some, step.window)});
  }
  run();
  return sum;
}

language::KernelTime prompt_attention(const Cards& cards, const Step& step, const Bits& bits) {
  language::KernelTime sum;
  for (const Sequences& some : step.sequences) {
    if (!some.is_prompt) continue;
    const language::KernelTime time =
        language::prefill_attention(cards.card, attention_shape(cards, step, bits),
                                    {.chunk = some.new_tokens,
                                     .earlier = workload::decoder::read_positions(some, step.window) - some.new_tokens,
                                     .sequences = some.count});
    sum.seconds += time.seconds;
    sum.memory_bytes += time.memory_bytes;
  }
  return sum;
}

language::KernelTime kernel_time(const Cards& cards, const Operator& op, const Step& step, const Bits& bits) {
  const language::Card& card = cards.card;
  const double weight = bits.weights / 8;
  const double value = bits.activations / 8;
  // Tensors that are read, by the size of the one that is written: two for sums and gates.
  const bool two_inputs = op.input_bytes > 1.5 * op.rows * op.inner * value;
  switch (op.kind) {
    case Kind::embedding:
      return language::embedding(card, op.rows, op.inner, value);
    case Kind::norm:
      return language::normalization(card, op.rows, op.inner, two_inputs, value);
    case Kind::linear:
    case Kind::head:
      return language::dense(card, {.tokens = op.rows,
                                    .inner = op.inner,
                                    .columns = op.columns * op.products,
                                    .weight_bytes = weight,
                                    .value_bytes = value});
    case Kind::rotary:
      return language::rotary(card, op.rows, op.inner, value);
    case Kind::attention:
      return decode_attention(cards, step, bits);
    case Kind::prompt_attention:
      return prompt_attention(cards, step, bits);
    case Kind::activation:
      return language::activation(card, op.rows, op.inner, two_inputs, value);
    case Kind::experts:
      return language::experts(card, {.tokens = step.tokens,
                                      .active = op.products,
                                      .per_token = op.rows * op.products / step.tokens,
                                      .hidden = op.inner,
                                      .width = op.columns,
                                      .weight_bytes = weight,
                                      .value_bytes = value});
    case Kind::sampling:
      return language::sampler(card, op.rows, op.inner);
    case Kind::all_reduce:
      break;
  }
  return {};
}

double error_of(const KernelErrors& errors, Kind kind) {
  switch (kind) {
    case Kind::embedding:
    case Kind::norm:
    case Kind::rotary:
    case Kind::activation:
      return errors.elementwise;
    case Kind::linear:
      return errors.products;
    case Kind::attention:
      return errors.decode_attention;
    case Kind::prompt_attention:
      return errors.prefill_attention;
    case Kind::experts:
      return errors.experts;
    case Kind::head:
      return errors.head;
    case Kind::sampling:
      return errors.sampler;
    case Kind::all_reduce:
      break;
  }
  return 1;
}

}  // namespace

Cost gpu_cost(const Cards& cards, const Operator& op, const Step& step, const Bits& bits) {
  if (cards.count == 0) return impossible;
  if (op.kind == Kind::experts && step.is_skewed) return all_on_card(cards, op, step, bits);
  const language::KernelTime time = kernel_time(cards, op, step, bits);
  // Whatever the error of the model, no kernel is faster than the peaks of the card.
  const double least =
      std::max(time.memory_bytes / cards.card.memory_bandwidth, op.operations / cards.card.peak_rate());
  return {std::max(error_of(cards.errors, op.kind) * time.seconds, least), time.memory_bytes,
          op.operations * cards.operation_energy + time.memory_bytes * cards.memory_energy};
}

}  // namespace pimsweep::systems::llm
