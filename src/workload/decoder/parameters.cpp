#include "workload/decoder/parameters.h"

#include "base/checked.h"

namespace pimsweep::workload::decoder {

namespace {

Count norm_parameters(const Decoder& model, std::int64_t channels) {
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

/// Learned numbers of a part of a model: those of matrices, and all others.
struct Numbers {
  Count weights = 0;
  Count others = 0;

  Numbers& operator+=(const Numbers& more) {
    weights += more.weights;
    others += more.others;
    return *this;
  }
  friend Numbers operator*(Count times, const Numbers& each) { return {times * each.weights, times * each.others}; }
};

Numbers linear(std::int64_t inputs, Count outputs, bool bias) {
  return {.weights = outputs * inputs, .others = bias ? outputs : Count{}};
}

Numbers norm(const Decoder& model, std::int64_t channels) {
  return {.weights = 0, .others = norm_parameters(model, channels)};
}

Numbers latent_attention(const Decoder& model) {
  const Latent& latent = model.latent;
  const Count values = Count{model.heads} * model.head_size;
  const Count queries = values + Count{model.heads} * latent.rotary_size;
  Numbers sum = linear(latent.query_rank == 0 ? model.hidden : latent.query_rank, queries, false);
  if (latent.query_rank != 0) {
    sum += linear(model.hidden, latent.query_rank, false);
    sum += norm(model, latent.query_rank);
  }
  sum += linear(model.hidden, Count{latent.cache_rank} + latent.rotary_size, false);
  sum += norm(model, latent.cache_rank);
  sum += linear(latent.cache_rank, Count{2} * values, false);
  sum += linear(values, model.hidden, false);
  return sum;
}

Numbers attention(const Decoder& model) {
  if (model.latent) return latent_attention(model);
  const Count queries = Count{model.heads} * model.head_size;
  const Count keys = Count{model.kv_heads} * model.head_size;
  Numbers sum = linear(model.hidden, queries, model.has_qkv_bias());
  sum += Count{2} * linear(model.hidden, keys, model.has_qkv_bias());
  if (model.query_key_norm && model.query_key_norm_of_all) {
    sum.others += queries + keys;
  } else if (model.query_key_norm) {
    sum += Count{2} * norm(model, model.head_size);
  }
  if (model.sinks) sum.others += model.heads;
  sum += linear(queries, model.hidden, model.has_output_bias());
  return sum;
}

Numbers feed_forward(const Decoder& model, std::int64_t width, bool bias) {
  Numbers sum = Count{model.feed_forward_matrices() - 1} * linear(model.hidden, width, bias);
  sum += linear(width, model.hidden, bias);
  return sum;
}

/// The learned numbers of all parts of a model, with so many routed experts in each block that has some.
struct Parts {
  Numbers attention = {};
  Numbers feed_forward = {};
  Numbers experts = {};
  Numbers shared_experts = {};
  Numbers head = {};
  /// Routers, norms, and tables that are looked up.
  Count rest = 0;
};

Parts parts_of(const Decoder& model, std::int64_t routed_experts) {
  const Experts& experts = model.experts;
  Parts parts;
  parts.attention = Count{model.blocks} * attention(model);
  if (model.dense_blocks() > 0) {
    parts.feed_forward = Count{model.dense_blocks()} * feed_forward(model, model.ffn, model.has_ffn_bias());
  }
  if (experts) {
    const Count blocks = model.expert_blocks();
    parts.experts = blocks * Count{routed_experts} * feed_forward(model, experts.hidden, model.has_ffn_bias());
    if (experts.shared > 0) parts.shared_experts = blocks * feed_forward(model, experts.shared_width(), false);
    const Numbers router = linear(model.hidden, experts.count, model.has_ffn_bias());
    parts.rest += blocks * (router.weights + router.others + (experts.shared_gate ? Count{model.hidden} : Count{}));
  }
  if (!model.tied) parts.head = linear(model.hidden, model.vocabulary, false);
  if (model.head_bias) parts.head.others = model.vocabulary;
  parts.rest += Count{model.vocabulary} * model.hidden;
  if (model.position == Position::learned) parts.rest += Count{model.positions} * model.hidden;
  const Count norms = Count{model.blocks} * model.block_norms() + (model.embedding_norm ? 2 : 1);
  parts.rest += norms * norm_parameters(model, model.hidden);
  return parts;
}

Count sum_of(const Parts& parts) {
  Numbers sum = parts.attention;
  for (const Numbers& more : {parts.feed_forward, parts.experts, parts.shared_experts, parts.head}) sum += more;
  return sum.weights + sum.others + parts.rest;
}

}  // namespace

std::int64_t parameters(const Decoder& model) { return sum_of(parts_of(model, model.experts.count)); }

std::int64_t active_parameters(const Decoder& model) { return sum_of(parts_of(model, model.experts.per_token)); }

double stored_bytes(const Decoder& model) {
  constexpr double wide = 16;
  const Storage& storage = model.storage;
  const Parts parts = parts_of(model, model.experts.count);
  double bits = wide * static_cast<double>(std::int64_t{parts.rest});
  const auto add = [&](const Numbers& part, bool quantized) {
    bits += static_cast<double>(std::int64_t{part.weights}) * (quantized ? storage.weight_bits : wide) +
            static_cast<double>(std::int64_t{part.others}) * wide;
  };
  add(parts.attention, storage.attention);
  add(parts.feed_forward, storage.feed_forward);
  add(parts.experts, storage.experts);
  add(parts.shared_experts, storage.shared_experts);
  add(parts.head, storage.head);
  return bits / 8;
}

}  // namespace pimsweep::workload::decoder
