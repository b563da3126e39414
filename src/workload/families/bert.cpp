#include <fmt/format.h>

#include <memory>

#include "workload/families/architecture.h"
#include "workload/families/layers.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

struct BertParameters {
  /// Rows of the tables of words, positions and token types.
  std::int64_t vocabulary = 0;
  std::int64_t positions = 0;
  std::int64_t token_types = 0;
  std::int64_t channels = 0;
  std::int64_t blocks = 0;
  std::int64_t heads = 0;
  std::int64_t hidden = 0;
  bool pooler = true;
};

/// The encoder of BERT with its pooler (the projection of the first token) if it has one, without a task head.
/// Normalization follows each residual sum.
class Bert final : public TransformerArchitecture {
 public:
  explicit Bert(const BertParameters& parameters) : parameters_(parameters) {}

  std::int64_t min_input_size() const override { return 1; }
  std::int64_t max_input_size() const override { return parameters_.positions; }

  OperatorGraph graph(std::int64_t tokens) const override {
    const std::int64_t channels = parameters_.channels;
    GraphBuilder builder;
    OperatorId x = builder.input({tokens, 1}, "tokens");
    x = builder.embedding(x, parameters_.vocabulary, channels, "word_embedding");
    x = builder.add_learned(x, parameters_.positions * channels, "position_embedding");
    if (parameters_.token_types > 0) {
      x = builder.add_learned(x, parameters_.token_types * channels, "token_type_embedding");
    }
    x = builder.layer_norm(x, "embedding_norm");
    for (std::int64_t block = 1; block <= parameters_.blocks; ++block) {
      builder.enter(1, block);
      const OperatorId attention = self_attention(builder, x, parameters_.heads);
      x = builder.layer_norm(builder.add(x, attention, "residual1"), "norm1");
      const OperatorId inner = builder.activation(builder.linear(x, parameters_.hidden, "fc1"), "gelu");
      x = builder.layer_norm(builder.add(x, builder.linear(inner, channels, "fc2"), "residual2"), "norm2");
    }
    builder.enter(0, 0);
    if (!parameters_.pooler) return builder.take();
    const OperatorId first = builder.move(OperatorKind::slice, x, {1, channels}, "first_token");
    builder.activation(builder.linear(first, channels, "pooler"), "tanh");
    return builder.take();
  }

  std::vector<TransformerStage> stages(std::int64_t tokens) const override {
    TransformerStage stage;
    stage.channels = parameters_.channels;
    stage.heads = parameters_.heads;
    stage.mlp_ratio = static_cast<double>(parameters_.hidden) / static_cast<double>(parameters_.channels);
    stage.height = 1;
    stage.width = tokens;
    EncoderBlocks blocks;
    blocks.kind = "global";
    blocks.count = parameters_.blocks;
    blocks.tokens = blocks.kv_tokens = blocks.kv_projected = tokens;
    stage.blocks = {blocks};
    return {stage};
  }

 private:
  BertParameters parameters_;
};

}  // namespace

std::unique_ptr<Architecture> read_bert(ParameterReader& reader) {
  constexpr Range width_range{1, 65536};
  BertParameters parameters;
  parameters.vocabulary = reader.integer("vocabulary", {1, 10000000});
  parameters.positions = reader.integer("positions", {1, max_image_px});
  parameters.token_types = reader.integer("token_types", {0, 1024});
  parameters.channels = reader.integer("channels", width_range);
  parameters.blocks = reader.integer("blocks", {1, 1000});
  parameters.heads = reader.integer("heads", width_range);
  parameters.hidden = reader.integer("hidden", {1, 1048576});
  if (reader.has("pooler")) parameters.pooler = reader.boolean("pooler");
  if (reader.sound() && parameters.channels % parameters.heads != 0) {
    reader.problem("heads",
                   fmt::format("'heads': {} heads do not divide {} channels", parameters.heads, parameters.channels));
  }
  return std::make_unique<Bert>(parameters);
}

}  // namespace pimsweep::workload::families
