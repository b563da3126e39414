#include "workload/decoder/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

/// Builds the graph of one sequence: processes `tokens` tokens after `context` earlier ones and predicts the next
/// token. The KV cache of the earlier tokens is an input of each block.
class DecoderGraph {
 public:
  DecoderGraph(const decoder::Decoder& model, std::int64_t tokens, std::int64_t context)
      : model_(model), tokens_(tokens), context_(context) {}

  OperatorGraph build() {
    const OperatorId table =
        builder_.embedding(builder_.input({tokens_, 1}, "tokens"), model_.vocabulary, model_.hidden, "word_embedding");
    OperatorId x = table;
    if (model_.position == decoder::Position::learned) {
      x = builder_.add_learned(x, Count{model_.positions} * model_.hidden, "position_embedding");
    }
    if (model_.embedding_norm) x = norm(x, "embedding_norm");
    for (std::int64_t block = 1; block <= model_.blocks; ++block) {
      builder_.enter(1, block);
      x = model_.parallel ? parallel_halves(x, block) : halves(x, block);
    }
    builder_.enter(0, 0);
    x = part(norm(x, "norm"), 1, model_.hidden, "last_token");
    quantize(model_.storage.head && !model_.tied);
    builder_.softmax(head(x, table));
    return builder_.take();
  }

 private:
  /// Sets the storage of the following matrices.
  void quantize(bool is_quantized) { builder_.store_weights_in(is_quantized ? model_.storage.weight_bits : 0); }

  OperatorId head(OperatorId x, OperatorId table) {
    if (!model_.tied) return builder_.linear(x, model_.vocabulary, "head", model_.head_bias);
    const OperatorId scores = builder_.linear_by_table(x, table, "head");
    return model_.head_bias ? builder_.add_learned(scores, model_.vocabulary, "head_bias") : scores;
  }

  /// The two halves of a block in sequence, each with its residual sum.
  OperatorId halves(OperatorId x, std::int64_t block) {
    const bool before = model_.norm_placement != decoder::NormPlacement::after;
    const bool after = model_.norm_placement == decoder::NormPlacement::after ||
                       model_.norm_placement == decoder::NormPlacement::around;
    OperatorId change = attention(before ? norm(x, "norm1") : x);
    if (after) change = norm(change, "norm1_after");
    x = builder_.add(x, change, "residual1");
    change = second_half(before ? norm(x, "norm2") : x, block);
    if (after) change = norm(change, "norm2_after");
    return builder_.add(x, change, "residual2");
  }

  /// Both halves read the same tokens.
  OperatorId parallel_halves(OperatorId x, std::int64_t block) {
    const OperatorId first = norm(x, "norm1");
    const OperatorId second = model_.norm_placement == decoder::NormPlacement::shared ? first : norm(x, "norm2");
    const OperatorId change = builder_.add(attention(first), second_half(second, block), "halves");
    return builder_.add(x, change, "residual");
  }

  OperatorId second_half(OperatorId x, std::int64_t block) {
    return model_.has_experts(block) ? experts(x) : feed_forward(x);
  }

  OperatorId norm(OperatorId x, std::string_view name) {
    switch (model_.norm) {
      case decoder::Norm::rms:
        return builder_.rms_norm(x, name);
      case decoder::Norm::layer_scale:
        return builder_.layer_norm(x, name, builder_.output(x).shape.back());
      case decoder::Norm::layer_plain:
        return builder_.layer_norm(x, name, 0);
      case decoder::Norm::layer:
        break;
    }
    return builder_.layer_norm(x, name);
  }

  OperatorId part(OperatorId x, std::int64_t rows, Count channels, std::string_view role) {
    return builder_.move(OperatorKind::slice, x, {rows, channels}, role);
  }

  /// Appends the new tokens' entries to the KV cache of earlier tokens.
  OperatorId after_cached(OperatorId x, std::string_view what) {
    if (context_ == 0) return x;
    const std::int64_t channels = builder_.output(x).shape.back();
    const OperatorId cached = builder_.input({context_, channels}, fmt::format("cached_{}", what));
    return builder_.concat({cached, x}, {context_ + tokens_, channels}, fmt::format("all_{}", what));
  }

  OperatorId rotary(OperatorId x) { return builder_.activation(x, "rotary"); }

  OperatorId activation(OperatorId x) {
    return builder_.activation(x, word_of(decoder::activation_words, model_.activation));
  }

  OperatorId attend(OperatorId q, OperatorId k, OperatorId v, std::int64_t kv_heads) {
    OperatorId scores = builder_.scores(q, k, model_.heads, kv_heads);
    if (model_.sinks) scores = builder_.add_learned(scores, model_.heads, "sinks");
    const OperatorId weights = builder_.softmax(scores);
    const Count channels = Count{model_.heads} * model_.head_size;
    const OperatorId context = builder_.context(weights, v, model_.heads, {tokens_, channels}, kv_heads);
    return builder_.linear(context, model_.hidden, "projection", model_.has_output_bias());
  }

  OperatorId attention(OperatorId x) {
    quantize(model_.storage.attention);
    if (model_.latent) return latent_attention(x);
    const bool bias = model_.has_qkv_bias();
    const Count keys = Count{model_.kv_heads} * model_.head_size;
    OperatorId q = builder_.linear(x, Count{model_.heads} * model_.head_size, "q", bias);
    OperatorId k = builder_.linear(x, keys, "k", bias);
    const OperatorId v = builder_.linear(x, keys, "v", bias);
    if (model_.query_key_norm) {
      q = norm_of_heads(q, model_.heads, "q_norm");
      k = norm_of_heads(k, model_.kv_heads, "k_norm");
    }
    if (model_.position == decoder::Position::rotary) {
      q = rotary(q);
      k = rotary(k);
    }
    return attend(q, after_cached(k, "keys"), after_cached(v, "values"), model_.kv_heads);
  }

  OperatorId norm_of_heads(OperatorId x, std::int64_t heads, const std::string& name) {
    if (model_.query_key_norm_of_all) return builder_.rms_norm(x, name);
    const std::vector<std::int64_t> together = builder_.output(x).shape;
    const OperatorId apart =
        builder_.move(OperatorKind::reshape, x, {tokens_, heads, model_.head_size}, name + "_heads");
    return builder_.move(OperatorKind::reshape, norm(apart, name), together, name + "_joined");
  }

  /// Latent attention with separate keys and values for every head, as prefill computes it.
  OperatorId latent_attention(OperatorId x) {
    const decoder::Latent& latent = model_.latent;
    const Count plain = Count{model_.heads} * model_.head_size;
    const Count rotated = Count{model_.heads} * latent.rotary_size;
    OperatorId q = x;
    if (latent.query_rank != 0) q = norm(builder_.linear(x, latent.query_rank, "q_down", false), "q_norm");
    q = builder_.linear(q, plain + rotated, "q", false);
    const OperatorId q_plain = part(q, tokens_, plain, "q_plain");
    q = builder_.join_channels({q_plain, rotary(part(q, tokens_, rotated, "q_rotated"))}, "q_joined");
    const OperatorId down = builder_.linear(x, Count{latent.cache_rank} + latent.rotary_size, "kv_down", false);
    const std::int64_t positions = context_ + tokens_;
    const OperatorId cached =
        after_cached(norm(part(down, tokens_, latent.cache_rank, "kv_latent"), "kv_norm"), "latents");
    const OperatorId k_rotated =
        after_cached(rotary(part(down, tokens_, latent.rotary_size, "k_rotated")), "rotated_keys");
    const OperatorId kv = builder_.linear(cached, Count{2} * plain, "kv", false);
    const OperatorId k_plain = part(kv, positions, plain, "k_plain");
    const OperatorId copies = builder_.move(OperatorKind::gather, k_rotated, {positions, rotated}, "k_copies");
    const OperatorId k = builder_.join_channels({k_plain, copies}, "k_joined");
    return attend(q, k, part(kv, positions, plain, "v"), model_.heads);
  }

  OperatorId feed_forward(OperatorId x) {
    quantize(model_.storage.feed_forward);
    const auto linear = [&](OperatorId from, std::int64_t outputs, std::string_view role) {
      return builder_.linear(from, outputs, role, model_.has_ffn_bias());
    };
    OperatorId inner = activation(linear(x, model_.ffn, model_.gated ? "gate" : "fc1"));
    if (model_.gated) inner = builder_.multiply(inner, linear(x, model_.ffn, "fc1"), "gated");
    return linear(inner, model_.hidden, "fc2");
  }

  /// The experts of a token side by side, as one network of their joint width; those of other tokens are idle. The sum
  /// over experts is that over the rows of the last matrix.
  OperatorId experts(OperatorId x) {
    const decoder::Experts& experts = model_.experts;
    const Count width = Count{experts.per_token} * experts.hidden;
    quantize(false);
    const OperatorId router = builder_.linear(x, experts.count, "router", model_.has_ffn_bias());
    const OperatorId chosen =
        part(builder_.same_shape(OperatorKind::softmax, router, "routing"), tokens_, experts.per_token, "chosen");
    const OperatorId factors = builder_.move(OperatorKind::gather, chosen, {tokens_, width}, "routing_factors");
    quantize(model_.storage.experts);
    OperatorId inner = activation(expert_linear(x, width, experts.hidden, model_.gated ? "gate" : "fc1"));
    if (model_.gated) inner = builder_.multiply(inner, expert_linear(x, width, experts.hidden, "fc1"), "gated");
    const OperatorId routed =
        expert_linear(builder_.multiply(inner, factors, "routed"), model_.hidden, model_.hidden, "fc2");
    return experts.shared == 0 ? routed : builder_.add(routed, shared_experts(x), "all_experts");
  }

  /// Linear layer of all experts of a token, each with `biases` biases if experts have any.
  OperatorId expert_linear(OperatorId x, std::int64_t outputs, std::int64_t biases, std::string_view role) {
    const decoder::Experts& experts = model_.experts;
    const Count others = Count{experts.count} - experts.per_token;
    const std::int64_t each = model_.has_ffn_bias() ? biases : 0;
    const Count idle = others * (Count{experts.hidden} * model_.hidden + each);
    return builder_.chosen_linear(x, outputs, idle, role, Count{experts.per_token} * each);
  }

  OperatorId shared_experts(OperatorId x) {
    const std::int64_t width = model_.experts.shared_width();
    quantize(model_.storage.shared_experts);
    OperatorId inner = activation(builder_.linear(x, width, model_.gated ? "shared_gate" : "shared_fc1", false));
    if (model_.gated) inner = builder_.multiply(inner, builder_.linear(x, width, "shared_fc1", false), "shared_gated");
    const OperatorId out = builder_.linear(inner, model_.hidden, "shared_fc2", false);
    if (!model_.experts.shared_gate) return out;
    quantize(false);
    const OperatorId factor = builder_.activation(builder_.linear(x, 1, "shared_factor", false), "sigmoid");
    const OperatorId copies = builder_.move(OperatorKind::gather, factor, {tokens_, model_.hidden}, "shared_factors");
    return builder_.multiply(out, copies, "shared_scaled");
  }

  const decoder::Decoder& model_;
  std::int64_t tokens_;
  std::int64_t context_;
  GraphBuilder builder_;
};

class GenerativeDecoder final : public DecoderArchitecture {
 public:
  GenerativeDecoder(const decoder::Decoder& decoder, std::int64_t context) : decoder_(decoder), context_(context) {}

  std::int64_t min_input_size() const override { return 1; }
  std::int64_t max_input_size() const override { return std::min(decoder_.positions - context_, max_image_px); }
  OperatorGraph graph(std::int64_t tokens) const override { return DecoderGraph(decoder_, tokens, context_).build(); }
  const decoder::Decoder& decoder() const override { return decoder_; }

 private:
  decoder::Decoder decoder_;
  /// Tokens before those of the graph.
  std::int64_t context_;
};

constexpr Range decoder_widths{1, 1048576};
constexpr Range decoder_heads{1, 65536};

std::int64_t optional_integer(ParameterReader& reader, const std::string& key, Range range, std::int64_t otherwise) {
  return reader.has(key) ? reader.integer(key, range) : otherwise;
}

bool optional_boolean(ParameterReader& reader, const std::string& key) {
  return reader.has(key) && reader.boolean(key);
}

/// Reports keys that a model has although `owner`, the key that they depend on, is missing.
void refuse_without(ParameterReader& reader, const std::string& owner, std::initializer_list<const char*> keys) {
  for (const std::string key : keys) {
    if (!reader.has(key)) continue;
    reader.integer(key, {0, decoder_widths.max});
    reader.problem(key, fmt::format("'{}' needs '{}', which the model lacks", key, owner));
  }
}

decoder::Experts read_experts(ParameterReader& reader, std::int64_t blocks) {
  decoder::Experts experts;
  if (!reader.has("experts")) {
    refuse_without(
        reader, "experts",
        {"expert_hidden", "experts_per_token", "shared_experts", "dense_blocks", "expert_every", "shared_hidden"});
    return experts;
  }
  experts.count = reader.integer("experts", decoder_heads);
  experts.hidden = reader.integer("expert_hidden", decoder_widths);
  experts.per_token = reader.integer("experts_per_token", decoder_heads);
  experts.shared = optional_integer(reader, "shared_experts", {0, decoder_heads.max}, 0);
  experts.dense_blocks = optional_integer(reader, "dense_blocks", {0, 1000}, 0);
  experts.every = optional_integer(reader, "expert_every", {1, 1000}, 1);
  experts.shared_hidden = optional_integer(reader, "shared_hidden", {0, decoder_widths.max}, 0);
  experts.shared_gate = optional_boolean(reader, "shared_gate");
  if (!reader.sound()) return experts;
  if (experts.per_token > experts.count) {
    reader.problem("experts_per_token", fmt::format("'experts_per_token' is {}, but there are {} experts",
                                                    experts.per_token, experts.count));
  }
  if (experts.dense_blocks >= blocks) {
    reader.problem("dense_blocks", fmt::format("'dense_blocks' is {}, which leaves none of {} blocks for experts",
                                               experts.dense_blocks, blocks));
  } else if (experts.dense_blocks + experts.every > blocks) {
    reader.problem("expert_every", fmt::format("'expert_every' is {}, which leaves none of {} blocks for experts",
                                               experts.every, blocks));
  }
  return experts;
}

decoder::Latent read_latent(ParameterReader& reader) {
  decoder::Latent latent;
  if (!reader.has("cache_rank")) {
    refuse_without(reader, "cache_rank", {"query_rank", "rotary_size"});
    return latent;
  }
  latent.cache_rank = reader.integer("cache_rank", decoder_widths);
  latent.query_rank = optional_integer(reader, "query_rank", decoder_widths, 0);
  latent.rotary_size = reader.integer("rotary_size", decoder_heads);
  return latent;
}

/// The width of a head, if it is not given.
std::int64_t usual_head_size(ParameterReader& reader, const decoder::Decoder& model) {
  if (reader.sound() && model.hidden % model.heads != 0) {
    reader.problem("heads", fmt::format("'heads': {} heads do not divide {} elements, so that 'head_size' is needed",
                                        model.heads, model.hidden));
  }
  return model.hidden / model.heads;
}

/// The width of the feed-forward network, which only blocks without experts have.
std::int64_t read_ffn(ParameterReader& reader, const decoder::Decoder& model) {
  constexpr Range range{1, 16777216};
  if (model.dense_blocks() > 0) return reader.integer("ffn", range);
  if (reader.has("ffn")) {
    reader.integer("ffn", range);
    reader.problem("ffn", "'ffn' is the width in blocks without experts, but all blocks have experts");
  }
  return 0;
}

/// Blocks that attend to all positions in spite of the window.
std::vector<std::int64_t> read_full_blocks(ParameterReader& reader, std::int64_t window, std::int64_t blocks) {
  if (!reader.has("full_blocks")) return {};
  std::vector<std::int64_t> list = reader.stages("full_blocks", {1, 1000}, {1, 1000});
  if (window == 0) reader.problem("full_blocks", "'full_blocks' needs 'window', which the model lacks");
  if (!reader.sound()) return {};
  std::sort(list.begin(), list.end());
  if (std::adjacent_find(list.begin(), list.end()) != list.end() || list.back() > blocks) {
    reader.problem("full_blocks", fmt::format("'full_blocks' must name blocks of 1 to {}, each once", blocks));
  }
  return list;
}

decoder::Storage read_storage(ParameterReader& reader) {
  decoder::Storage storage;
  if (reader.has("cache_bits")) storage.cache_bits = reader.real("cache_bits", 1, 64);
  if (!reader.has("weight_bits")) {
    if (reader.has("quantized")) reader.problem("quantized", "'quantized' needs 'weight_bits', which the model lacks");
    return storage;
  }
  storage.weight_bits = reader.real("weight_bits", 1, 64);
  const std::array<std::pair<std::string_view, bool*>, 5> parts{{{"attention", &storage.attention},
                                                                 {"feed-forward", &storage.feed_forward},
                                                                 {"experts", &storage.experts},
                                                                 {"shared-experts", &storage.shared_experts},
                                                                 {"head", &storage.head}}};
  for (const PlacedText& text : reader.texts("quantized", {1, 5}, "a part of the model")) {
    const auto* const part = std::ranges::find(parts, text.text, &std::pair<std::string_view, bool*>::first);
    if (part == parts.end()) {
      reader.problem(text.where, fmt::format("'{}' is not a part of the model that can be quantized: choose from "
                                             "attention, feed-forward, experts, shared-experts, head",
                                             text.text));
    } else {
      *part->second = true;
    }
  }
  return storage;
}

void read_norms(ParameterReader& reader, decoder::Decoder& model) {
  model.norm = reader.choice("norm", decoder::norm_words);
  if (reader.has("norm_placement")) {
    model.norm_placement = reader.choice("norm_placement", decoder::norm_placement_words);
  }
  model.embedding_norm = optional_boolean(reader, "embedding_norm");
  model.query_key_norm = optional_boolean(reader, "query_key_norm");
  model.query_key_norm_of_all = optional_boolean(reader, "query_key_norm_of_all");
}

void read_biases(ParameterReader& reader, decoder::Decoder& model) {
  model.bias = reader.boolean("bias");
  model.qkv_bias = optional_boolean(reader, "qkv_bias");
  model.output_bias = optional_boolean(reader, "output_bias");
  model.ffn_bias = optional_boolean(reader, "ffn_bias");
  model.head_bias = optional_boolean(reader, "head_bias");
}

/// Reports valid parameters that contradict each other.
void check_relations(ParameterReader& reader, const decoder::Decoder& model) {
  if (model.heads % model.kv_heads != 0) {
    reader.problem("kv_heads",
                   fmt::format("'kv_heads': {} key-value heads do not divide {} heads", model.kv_heads, model.heads));
  }
  const bool rotary = model.position == decoder::Position::rotary;
  const std::int64_t rotated = model.latent ? model.latent.rotary_size : model.head_size;
  if (rotary && rotated % 2 != 0) {
    reader.problem(model.latent ? "rotary_size" : "head_size",
                   fmt::format("{} elements are rotated, but they are rotated in pairs", rotated));
  }
  const bool shared = model.norm_placement == decoder::NormPlacement::shared;
  const bool before = model.norm_placement == decoder::NormPlacement::before;
  if (shared && !model.parallel) {
    reader.problem("norm_placement", "'norm_placement' is shared, which needs 'parallel' to be true");
  }
  if (model.parallel && !shared && !before) {
    reader.problem("norm_placement", "'norm_placement' must be before or shared where 'parallel' is true");
  }
  if (model.query_key_norm_of_all && !model.query_key_norm) {
    reader.problem("query_key_norm_of_all", "'query_key_norm_of_all' needs 'query_key_norm' to be true");
  }
  if (!model.latent) return;
  if (!rotary) reader.problem("position", "'position' is not rotary, but latent attention rotates queries and keys");
  if (model.kv_heads != model.heads) {
    reader.problem("kv_heads",
                   "'kv_heads' differs from 'heads', but latent attention has separate keys and values for each head");
  }
  for (const auto& [key, is_set] :
       {std::pair{"bias", model.bias}, std::pair{"qkv_bias", model.qkv_bias},
        std::pair{"output_bias", model.output_bias}, std::pair{"query_key_norm", model.query_key_norm},
        std::pair{"sinks", model.sinks}}) {
    if (is_set) reader.problem(key, fmt::format("'{}' is true, but latent attention has none", key));
  }
}

}  // namespace

std::unique_ptr<Architecture> read_decoder(ParameterReader& reader) {
  decoder::Decoder model;
  model.vocabulary = reader.integer("vocabulary", {1, 10000000});
  model.hidden = reader.integer("hidden", decoder_widths);
  model.blocks = reader.integer("blocks", {1, 1000});
  model.heads = reader.integer("heads", decoder_heads);
  model.kv_heads = optional_integer(reader, "kv_heads", decoder_heads, model.heads);
  model.head_size =
      reader.has("head_size") ? reader.integer("head_size", decoder_heads) : usual_head_size(reader, model);
  model.gated = reader.boolean("gated");
  model.activation = reader.choice("activation", decoder::activation_words);
  read_norms(reader, model);
  model.parallel = optional_boolean(reader, "parallel");
  model.position = reader.choice("position", decoder::position_words);
  model.positions = reader.integer("positions", {1, 1073741824});
  model.window = optional_integer(reader, "window", {1, 1073741824}, 0);
  model.full_blocks = read_full_blocks(reader, model.window, model.blocks);
  model.sinks = optional_boolean(reader, "sinks");
  read_biases(reader, model);
  model.tied = reader.boolean("tied");
  model.latent = read_latent(reader);
  model.experts = read_experts(reader, model.blocks);
  model.ffn = read_ffn(reader, model);
  model.storage = read_storage(reader);
  const std::int64_t context = optional_integer(reader, "context", {0, 1073741824}, 0);
  if (reader.sound()) check_relations(reader, model);
  if (reader.sound() && context >= model.positions) {
    reader.problem("context", fmt::format("'context' is {}, which leaves none of {} positions for tokens", context,
                                          model.positions));
  }
  return std::make_unique<GenerativeDecoder>(model, context);
}

}  // namespace pimsweep::workload::families
