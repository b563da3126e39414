#include "systems/llm/step/gpu_costs.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "hardware/gpu/language/kernels.h"

namespace pimsweep::systems::llm::step {

namespace {

namespace language = hardware::gpu::language;
using workload::decoder::Bits;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

language::AttentionShape attention_shape(const Gpus& gpus, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  return {.heads = a.heads,
          .kv_heads = a.kv_heads,
          .key_size = a.key_size,
          .value_size = a.value_size,
          .cache_bytes = a.cached_elements() * bits.cache / 8,
          .reads = gpus.loads_by_head ? a.heads / a.kv_heads : 1};
}

// Guessed tokens of a sequence share its keys and values, as the heads of a group do.
language::KernelTime decode_attention(const Gpus& gpus, const Step& step, const Bits& bits) {
  language::KernelTime sum;
  double more_heads = 0;
  boost::container::small_vector<language::SequenceGroup, 16> groups;
  const auto run = [&] {
    if (groups.empty()) return;
    language::AttentionShape shape = attention_shape(gpus, step, bits);
    shape.heads *= more_heads;
    const language::KernelTime time =
        language::decode_attention(gpus.gpu, shape, std::span(groups.data(), groups.size()));
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

language::KernelTime prompt_attention(const Gpus& gpus, const Step& step, const Bits& bits) {
  language::KernelTime sum;
  for (const Sequences& some : step.sequences) {
    if (!some.is_prompt) continue;
    const language::KernelTime time =
        language::prefill_attention(gpus.gpu, attention_shape(gpus, step, bits),
                                    {.chunk = some.new_tokens,
                                     .earlier = workload::decoder::read_positions(some, step.window) - some.new_tokens,
                                     .sequences = some.count});
    sum.seconds += time.seconds;
    sum.memory_bytes += time.memory_bytes;
  }
  return sum;
}

language::KernelTime kernel_time(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits) {
  const language::Card& gpu = gpus.gpu;
  const double weight = bits.weights / 8;
  const double value = bits.activations / 8;
  // Tensors that are read, by the size of the one that is written: two for sums and gates.
  const bool two_inputs = op.input_bytes > 1.5 * op.rows * op.inner * value;
  switch (op.kind) {
    case Kind::embedding:
      return language::embedding(gpu, op.rows, op.inner, value);
    case Kind::norm:
      return language::normalization(gpu, op.rows, op.inner, two_inputs, value);
    case Kind::linear:
    case Kind::head:
      return language::dense(gpu, {.tokens = op.rows,
                                   .inner = op.inner,
                                   .columns = op.columns * op.products,
                                   .weight_bytes = weight,
                                   .value_bytes = value});
    case Kind::rotary:
      return language::rotary(gpu, op.rows, op.inner, value);
    case Kind::attention:
      return decode_attention(gpus, step, bits);
    case Kind::prompt_attention:
      return prompt_attention(gpus, step, bits);
    case Kind::activation:
      return language::activation(gpu, op.rows, op.inner, two_inputs, value);
    case Kind::experts:
      return language::experts(gpu, {.tokens = step.tokens,
                                     .active = op.products,
                                     .per_token = op.rows * op.products / step.tokens,
                                     .hidden = op.inner,
                                     .width = op.columns,
                                     .weight_bytes = weight,
                                     .value_bytes = value});
    case Kind::sampling:
      return language::sampler(gpu, op.rows, op.inner);
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
      return errors.gemm;
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

/// Whatever the error of the model, no kernel is faster than the peaks of the GPU.
Cost cost_of_kernel(const Gpus& gpus, const language::KernelTime& time, double operations, double error) {
  const double min_seconds = std::max(time.memory_bytes / gpus.gpu.memory_bandwidth, operations / gpus.gpu.peak_rate());
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
  return cost_of_kernel(gpus, kernel_time(gpus, op, step, bits), op.operations, error_of(gpus.errors, op.kind));
}

Cost gpu_expert(const Gpus& gpus, const Operator& op, const Step& step, const Bits& bits,
                const workload::decoder::ExpertLoad& load) {
  if (load.active == 0) return {};
  const language::KernelTime time = language::expert(gpus.gpu,
                                                     {.tokens = step.tokens,
                                                      .per_token = passages_of(op) / step.tokens,
                                                      .hidden = op.inner,
                                                      .width = op.columns,
                                                      .weight_bytes = bits.weights / 8,
                                                      .value_bytes = bits.activations / 8},
                                                     load.tokens);
  const double operations = op.operations * load.tokens / passages_of(op);
  return load.active * cost_of_kernel(gpus, time, operations, gpus.errors.experts);
}

Cost gpu_experts_once(const Gpus& gpus) { return {.seconds = gpus.errors.experts * gpus.gpu.kernels.experts_latency}; }

double passages_of(const Operator& op) { return op.rows * op.products; }

}  // namespace pimsweep::systems::llm::step
