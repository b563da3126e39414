#include "workload/decoder/parameters.h"

#include "base/checked.h"

namespace pimsweep::workload::decoder {

namespace {

Count norm(const Decoder& model, std::int64_t channels) {
  switch (model.norm) {
    case Norm::layer:
      return Count{2} * channels;
    case Norm::layer_plain:
      return 0;
    case Norm::rms:
    case Norm::layer_scale:
      return channels;
  }
  return 0;
}

Count linear(std::int64_t inputs, Count outputs, bool bias) { return outputs * inputs + (bias ? outputs : Count{}); }

Count latent_attention(const Decoder& model) {
  const Latent& latent = model.latent;
  const Count values = Count{model.heads} * model.head_size;
  const Count queries = values + Count{model.heads} * latent.rotary_size;
  Count sum = linear(latent.query_rank == 0 ? model.hidden : latent.query_rank, queries, false);
  if (latent.query_rank != 0) {
    sum += linear(model.hidden, latent.query_rank, false);
    sum += norm(model, latent.query_rank);
  }
  sum += linear(model.hidden, Count{latent.cache_rank} + latent.rotary_size, false);
  sum += norm(model, latent.cache_rank);
  sum += linear(latent.cache_rank, Count{2} * values, false);
  return sum + linear(values, model.hidden, false);
}

Count attention(const Decoder& model) {
  if (model.latent) return latent_attention(model);
  const Count queries = Count{model.heads} * model.head_size;
  const Count keys = Count{model.kv_heads} * model.head_size;
  Count sum = linear(model.hidden, queries, model.has_qkv_bias());
  sum += Count{2} * linear(model.hidden, keys, model.has_qkv_bias());
  if (model.query_key_norm && model.query_key_norm_of_all) {
    sum += queries + keys;
  } else if (model.query_key_norm) {
    sum += Count{2} * norm(model, model.head_size);
  }
  if (model.sinks) sum += model.heads;
  return sum + linear(queries, model.hidden, model.has_output_bias());
}

Count feed_forward(const Decoder& model, std::int64_t width, bool bias) {
  return Count{model.feed_forward_matrices() - 1} * linear(model.hidden, width, bias) +
         linear(width, model.hidden, bias);
}

/// Parameters of router and experts of a block, counting `routed` of its routed experts.
Count expert_block(const Decoder& model, std::int64_t routed_experts) {
  const Experts& experts = model.experts;
  Count sum = linear(model.hidden, experts.count, model.has_ffn_bias());
  sum += Count{routed_experts} * feed_forward(model, experts.hidden, model.has_ffn_bias());
  sum += feed_forward(model, experts.shared_width(), false);
  if (experts.shared_gate) sum += model.hidden;
  return sum;
}

Count parameters_with(const Decoder& model, std::int64_t routed_experts) {
  Count sum = Count{model.tied ? 1 : 2} * model.vocabulary * model.hidden;
  if (model.head_bias) sum += model.vocabulary;
  if (model.position == Position::learned) sum += Count{model.positions} * model.hidden;
  sum += Count{model.embedding_norm ? 2 : 1} * norm(model, model.hidden);
  sum += Count{model.blocks} * (attention(model) + Count{model.block_norms()} * norm(model, model.hidden));
  sum += Count{model.dense_blocks()} * feed_forward(model, model.ffn, model.has_ffn_bias());
  if (model.experts) sum += Count{model.expert_blocks()} * expert_block(model, routed_experts);
  return sum;
}

double as_real(std::int64_t number) { return static_cast<double>(number); }

/// Matrices of attention of a block, which a checkpoint may have quantized.
Count attention_matrices(const Decoder& model) {
  const Count values = Count{model.heads} * model.head_size;
  if (!model.latent) return Count{2} * model.hidden * (values + Count{model.kv_heads} * model.head_size);
  const Latent& latent = model.latent;
  const Count queries = values + Count{model.heads} * latent.rotary_size;
  return queries * (latent.query_rank == 0 ? model.hidden : latent.query_rank) +
         Count{model.hidden} * (Count{latent.query_rank} + latent.cache_rank + latent.rotary_size) +
         Count{2} * values * latent.cache_rank + values * model.hidden;
}

/// Parameters that each GPU has beyond its share of all, since tensor parallelism does not divide them.
struct Replicated {
  double attention = 0;
  double others = 0;
};

Replicated replicated_parameters(const Decoder& model, std::int64_t gpus) {
  const double beyond_share = 1 - 1 / as_real(gpus);
  const Count norms = Count{model.block_norms()} * norm(model, model.hidden);
  const Count router = Count{model.hidden} * (model.experts.count + (model.experts.shared_gate ? 1 : 0));
  double others = as_real(model.blocks) * as_real(norms) + as_real(model.expert_blocks()) * as_real(router);
  if (model.position == Position::learned) others += as_real(model.positions) * as_real(model.hidden);
  const Latent& latent = model.latent;
  const double hidden = as_real(model.blocks) * as_real(model.hidden);
  double attention = 0;
  if (latent) {
    attention = beyond_share * hidden * as_real(latent.query_rank + latent.cache_rank + latent.rotary_size);
  } else if (model.kv_heads < gpus) {
    const double heads = 1 - as_real(model.kv_heads) / as_real(gpus);
    attention = heads * 2 * hidden * as_real(model.head_size);
  }
  return {attention, beyond_share * others};
}

}  // namespace

std::int64_t parameters(const Decoder& model) { return parameters_with(model, model.experts.count); }

std::int64_t active_parameters(const Decoder& model) { return parameters_with(model, model.experts.per_token); }

double weight_bytes(const Decoder& model, double bits, std::int64_t gpus) {
  const auto share = 1 / static_cast<double>(gpus);
  const Replicated replicated = replicated_parameters(model, gpus);
  const double all = as_real(parameters(model)) * share + replicated.attention + replicated.others;
  if (bits > 0) return all * bits / 8;
  const Storage& storage = model.storage;
  double quantized = 0;
  const auto add = [&](bool is_quantized, double matrices) { quantized += is_quantized ? matrices : 0; };
  const auto matrices = [&](std::int64_t width) { return as_real(feed_forward(model, width, false)); };
  const double expert_blocks = as_real(model.expert_blocks());
  add(storage.attention, as_real(model.blocks) * as_real(attention_matrices(model)) * share + replicated.attention);
  add(storage.feed_forward, as_real(model.dense_blocks()) * matrices(model.ffn) * share);
  add(storage.experts, expert_blocks * as_real(model.experts.count) * matrices(model.experts.hidden) * share);
  add(storage.shared_experts, expert_blocks * matrices(model.experts.shared_width()) * share);
  add(storage.head, as_real(model.vocabulary) * as_real(model.hidden) * share);
  return ((all - quantized) * unquantized_bits + quantized * storage.weight_bits) / 8;
}

}  // namespace pimsweep::workload::decoder
