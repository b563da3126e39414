#include "workload/decoder/parameters.h"

#include "base/checked.h"

namespace pimsweep::workload::decoder {

namespace {

Count norm_parameters(const Decoder& model, std::int64_t channels) {
  return Count{model.norm == Norm::layer ? 2 : 1} * channels;
}

Count linear_parameters(std::int64_t inputs, Count outputs, bool bias) {
  return outputs * inputs + (bias ? outputs : Count{});
}

Count latent_attention_parameters(const Decoder& model) {
  const Latent& latent = model.latent;
  const Count values = Count{model.heads} * model.head_size;
  const Count queries = values + Count{model.heads} * latent.rotary_size;
  Count sum = linear_parameters(latent.query_rank == 0 ? model.hidden : latent.query_rank, queries, false);
  if (latent.query_rank != 0) {
    sum += linear_parameters(model.hidden, latent.query_rank, false) + norm_parameters(model, latent.query_rank);
  }
  sum += linear_parameters(model.hidden, Count{latent.cache_rank} + latent.rotary_size, false);
  sum += norm_parameters(model, latent.cache_rank);
  sum += linear_parameters(latent.cache_rank, Count{2} * values, false);
  return sum + linear_parameters(values, model.hidden, false);
}

Count attention_parameters(const Decoder& model) {
  if (model.latent) return latent_attention_parameters(model);
  const bool bias = model.bias || model.qkv_bias;
  const Count queries = Count{model.heads} * model.head_size;
  const Count keys = Count{model.kv_heads} * model.head_size;
  Count sum = linear_parameters(model.hidden, queries, bias);
  sum += Count{2} * linear_parameters(model.hidden, keys, bias);
  if (model.query_key_norm) sum += Count{2} * norm_parameters(model, model.head_size);
  return sum + linear_parameters(queries, model.hidden, model.bias);
}

Count feed_forward_parameters(const Decoder& model) {
  const std::int64_t into = model.feed_forward_matrices() - 1;
  return Count{into} * linear_parameters(model.hidden, model.ffn, model.bias) +
         linear_parameters(model.ffn, model.hidden, model.bias);
}

Count expert_parameters(const Decoder& model) {
  return Count{model.feed_forward_matrices()} * model.hidden * model.experts.hidden;
}

/// Of each expert block, with so many of its routed experts.
Count experts_parameters(const Decoder& model, std::int64_t routed) {
  return Count{model.hidden} * model.experts.count + (Count{routed} + model.experts.shared) * expert_parameters(model);
}

Count parameters_with(const Decoder& model, std::int64_t routed_experts) {
  Count sum = Count{model.tied ? 1 : 2} * model.vocabulary * model.hidden;
  if (model.position == Position::learned) sum += Count{model.positions} * model.hidden;
  sum += norm_parameters(model, model.hidden);
  sum += Count{model.blocks} * (attention_parameters(model) + Count{2} * norm_parameters(model, model.hidden));
  sum += Count{model.dense_blocks()} * feed_forward_parameters(model);
  if (model.experts) sum += Count{model.expert_blocks()} * experts_parameters(model, routed_experts);
  return sum;
}

}  // namespace

std::int64_t parameters(const Decoder& model) { return parameters_with(model, model.experts.count); }

std::int64_t active_parameters(const Decoder& model) { return parameters_with(model, model.experts.per_token); }

}  // namespace pimsweep::workload::decoder
