#include "systems/llm/step/gpu_costs.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <limits>

#include "hardware/gpu/serving/elementwise.h"

namespace pimsweep::systems::llm::step {

namespace {

namespace serving = hardware::gpu::serving;
using workload::decoder::Bits;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Attention multiplies the numbers of the KV cache as they are, if tensor cores can.
double attention_factor_bytes(const Gpus& gpus, const Bits& bits) {
  return bits.cache < 16 && gpus.gpu.card.narrow_speedup > 1 ? 1 : 2;
}

serving::AttentionShape attention_shape(const Gpus& gpus, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  return {.heads = a.heads,
          .kv_heads = a.kv_heads,
          .key_size = a.key_size,
          .value_size = a.value_size,
          .cache_bytes = a.cached_elements() * bits.cache / 8,
          .factor_bytes = attention_factor_bytes(gpus, bits),
          .reads = gpus.loads_by_head ? a.heads / a.kv_heads : 1};
}

using Groups = boost::container::small_vector<serving::SequenceGroup, 16>;
using Prompts = boost::container::small_vector<serving::PrefillChunk, 16>;

template <typename Element>
std::span<const Element> view(const boost::container::small_vector<Element, 16>& elements) {
  return {elements.data(), elements.size()};
}

/// `window` is 0 if there is none, here and below.
Prompts prompts_of(const Step& step, std::int64_t window) {
  const double positions = window > 0 ? static_cast<double>(window) : std::numeric_limits<double>::infinity();
  Prompts prompts;
  for (const Sequences& some : step.sequences) {
    if (!some.is_prompt) continue;
    prompts.push_back(
        {.chunk = some.new_tokens, .earlier = some.context, .sequences = some.count, .window = positions});
  }
  return prompts;
}

serving::KernelTime prompt_attention(const Gpus& gpus, const Step& step, const Bits& bits, std::int64_t window) {
  const Prompts prompts = prompts_of(step, window);
  return serving::mixed_attention(gpus.gpu.card, attention_shape(gpus, step, bits), view(prompts), {});
}

/// A step without prompts. Guessed tokens of a sequence share its keys and values, as the heads of a group do.
serving::KernelTime only_decode_attention(const Gpus& gpus, const Step& step, const Bits& bits, std::int64_t window) {
  serving::KernelTime sum;
  double new_tokens = 0;
  Groups groups;
  const auto run = [&] {
    if (groups.empty()) return;
    serving::AttentionShape shape = attention_shape(gpus, step, bits);
    shape.new_tokens = new_tokens;
    const serving::KernelTime time = serving::decode_attention(gpus.gpu.card, shape, view(groups));
    sum.seconds += time.seconds;
    sum.memory_bytes += time.memory_bytes;
    groups.clear();
  };
  for (const Sequences& some : step.sequences) {
    if (some.is_prompt) continue;
    if (some.new_tokens != new_tokens) run();
    new_tokens = some.new_tokens;
    groups.push_back({some.count, workload::decoder::read_positions(some, window)});
  }
  run();
  return sum;
}

/// Time that decodes add to the kernel that prompts of the step have anyway; each guessed token has a tile of its own.
serving::KernelTime decode_attention(const Gpus& gpus, const Step& step, const Bits& bits, std::int64_t window) {
  const Prompts prompts = prompts_of(step, window);
  if (prompts.empty()) return only_decode_attention(gpus, step, bits, window);
  Groups groups;
  for (const Sequences& some : step.sequences) {
    if (!some.is_prompt)
      groups.push_back({some.count * some.new_tokens, workload::decoder::read_positions(some, window)});
  }
  const serving::AttentionShape shape = attention_shape(gpus, step, bits);
  serving::KernelTime time = serving::mixed_attention(gpus.gpu.card, shape, view(prompts), view(groups));
  const serving::KernelTime alone = serving::mixed_attention(gpus.gpu.card, shape, view(prompts), {});
  time.seconds -= alone.seconds;
  time.memory_bytes -= alone.memory_bytes;
  return time;
}

/// Mean over blocks with and without a window.
template <typename Attention>
serving::KernelTime mean_over_blocks(const Attention& attention, const Gpus& gpus, const Step& step, const Bits& bits) {
  const serving::KernelTime windowed = attention(gpus, step, bits, step.window);
  if (step.full_share == 0) return windowed;
  const serving::KernelTime full = attention(gpus, step, bits, 0);
  const double share = step.full_share;
  serving::KernelTime mean;
  mean.seconds = (1 - share) * windowed.seconds + share * full.seconds;
  mean.memory_bytes = (1 - share) * windowed.memory_bytes + share * full.memory_bytes;
  return mean;
}

/// All experts of a layer; those that no token uses cost nothing.
serving::ExpertsShape experts_shape(const Operator& op, const Step& step, const Bits& bits) {
  return {.tokens = step.tokens,
          .experts = static_cast<double>(step.experts.size()),
          .per_token = passages_of(op) / step.tokens,
          .hidden = op.inner,
          .width = op.columns,
          .weight_bytes = op.weight_bits / 8,
          .value_bytes = bits.activations / 8,
          .factor_bytes = bits.factors / 8};
}

serving::KernelTime kernel_time(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits) {
  const serving::Card& gpu = gpus.gpu.card;
  const double value = bits.activations / 8;
  // Tensors that are read, by the size of the one that is written: two for sums and gates.
  const bool two_inputs = op.input_bytes > 1.5 * op.rows * op.inner * value;
  switch (op.kind) {
    case Kind::embedding:
      return serving::embedding(gpu, op.rows, op.inner, value);
    case Kind::norm:
      return serving::normalization(gpu, op.rows, op.inner, two_inputs, value);
    case Kind::linear:
    case Kind::head:
      return serving::dense(gpu, {.tokens = op.rows,
                                  .inner = op.inner,
                                  .columns = op.columns * op.products,
                                  .weight_bytes = op.weight_bits / 8,
                                  .value_bytes = value,
                                  .factor_bytes = bits.factors / 8});
    case Kind::rotary:
      return serving::rotary(gpu, op.rows, op.inner, value);
    case Kind::attention:
      return mean_over_blocks(decode_attention, gpus, step, bits);
    case Kind::prompt_attention:
      return mean_over_blocks(prompt_attention, gpus, step, bits);
    case Kind::activation:
      return serving::activation(gpu, op.rows, op.inner, two_inputs, value);
    case Kind::experts: {
      const serving::ExpertGroup active = {op.products, op.rows};
      return serving::experts(gpu, experts_shape(op, step, bits), std::span(&active, 1));
    }
    case Kind::sampling:
      return serving::sampler(gpu, op.rows, op.inner);
    case Kind::all_reduce:
      break;
  }
  return {};
}

/// The part of the error of a single shape that remains in the sum of all GEMMs of a step, whose errors are
/// independent: 1 for one shape, 1/sqrt(n) for n that take equal times. Weights stand for times, so that it is the same
/// in all steps.
double remaining_part(const Step& step) {
  double sum = 0;
  double squares = 0;
  for (const Operator& op : step.operators) {
    if (!is_gemm(op.kind)) continue;
    const double weight = op.times * op.weight_bytes;
    sum += weight;
    squares += weight * weight;
  }
  return std::sqrt(squares) / sum;
}

double error_of_gemms(const devices::ServingErrors& errors, const Step& step) {
  return errors.gemm_by_shape == 1 ? errors.gemm : errors.gemm * std::pow(errors.gemm_by_shape, remaining_part(step));
}

double error_of(const devices::ServingErrors& errors, Kind kind, const Step& step) {
  switch (kind) {
    case Kind::embedding:
    case Kind::norm:
    case Kind::rotary:
    case Kind::activation:
      return errors.elementwise;
    case Kind::linear:
    case Kind::head:
      return error_of_gemms(errors, step);
    case Kind::attention:
      return errors.decode_attention;
    case Kind::prompt_attention:
      return errors.prefill_attention;
    case Kind::experts:
      return errors.experts;
    case Kind::sampling:
      return errors.sampler;
    case Kind::all_reduce:
      break;
  }
  return 1;
}

/// Bytes of the factors that an operator multiplies.
double factor_bytes_of(const Gpus& gpus, Kind kind, const Bits& bits) {
  switch (kind) {
    case Kind::linear:
    case Kind::head:
    case Kind::experts:
      return bits.factors / 8;
    case Kind::attention:
    case Kind::prompt_attention:
      return attention_factor_bytes(gpus, bits);
    default:
      return 2;
  }
}

/// Whatever the error of the model, no kernel is faster than the peaks of the GPU.
Cost cost_of_kernel(const Gpus& gpus, const serving::KernelTime& time, double operations, double error,
                    double factor_bytes) {
  const serving::Card& card = gpus.gpu.card;
  const double min_seconds =
      std::max(time.memory_bytes / card.memory_bandwidth, operations / card.peak_rate(factor_bytes));
  return {std::max(error * time.seconds, min_seconds), time.memory_bytes,
          operations * gpus.operation_energy + time.memory_bytes * gpus.memory_energy};
}

}  // namespace

Cost gpu_cost(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits) {
  if (gpus.count == 0) return impossible;
  if (op.kind == Kind::experts && step.is_skewed) {
    Cost cost = gpu_experts_once(gpus);
    for (const workload::decoder::ExpertLoad& load : step.experts) cost += gpu_expert(gpus, op, step, bits, load);
    return cost;
  }
  Cost cost = cost_of_kernel(gpus, kernel_time(gpus, op, step, bits), op.operations,
                             error_of(gpus.gpu.errors, op.kind, step), factor_bytes_of(gpus, op.kind, bits));
  if (op.kind == Kind::experts) cost.energy *= step.expert_balance;
  return cost;
}

const Cost& GemmCosts::operator()(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits) {
  const Key key{op.rows, op.columns * op.products, op.inner, op.weight_bits};
  const auto [entry, is_new] = costs_.try_emplace(key);
  if (is_new) entry->second = gpu_cost(gpus, op, step, bits);
  return entry->second;
}

Cost gpu_expert(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits,
                const workload::decoder::ExpertLoad& load) {
  if (load.active == 0) return {};
  const serving::KernelTime time = serving::expert(gpus.gpu.card, experts_shape(op, step, bits), load.tokens);
  const double operations = op.operations * load.tokens / passages_of(op);
  Cost cost = load.active *
              cost_of_kernel(gpus, time, operations, gpus.gpu.errors.experts, factor_bytes_of(gpus, op.kind, bits));
  cost.energy *= step.expert_balance;
  return cost;
}

Cost gpu_experts_once(const Gpus& gpus) {
  return {.seconds = gpus.gpu.errors.experts * gpus.gpu.card.kernels.experts_latency};
}

double passages_of(const Operator& op) { return op.rows * op.products; }

}  // namespace pimsweep::systems::llm::step
