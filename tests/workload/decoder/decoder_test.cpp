// The family of language models that generate tokens: its graphs and its files.
#include "workload/decoder/decoder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "../installed_models.h"
#include "../temporary_directory.h"
#include "base/error.h"
#include "workload/decoder/parameters.h"
#include "workload/decoder/step.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

/// Multiply-accumulates of a prompt: two for each weight that a token meets, the scores of all pairs of tokens, and the
/// head once. Weights that multiply are the active parameters less tables, normalization and biases.
double expected_macs(const decoder::Decoder& m, double tokens) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  const double hidden = real(m.hidden);
  const double queries = real(m.heads * m.head_size);
  double attention = 2 * hidden * (queries + real(m.kv_heads * m.head_size));
  double pair = 2 * queries;
  if (m.latent) {
    const double rotary = real(m.latent.rotary_size);
    const double cache = real(m.latent.cache_rank);
    const double rotated = queries + real(m.heads) * rotary;
    const double rank = real(m.latent.query_rank);
    attention = (rank > 0 ? rank * (hidden + rotated) : hidden * rotated) + hidden * (cache + rotary) +
                2 * cache * queries + queries * hidden;
    pair = rotated + queries;
  }
  const double matrices = m.gated ? 3 : 2;
  const double dense = m.experts ? real(m.experts.dense_blocks) : real(m.blocks);
  double feed_forward = dense * matrices * hidden * real(m.ffn);
  const double each = matrices * hidden * real(m.experts.hidden);
  feed_forward +=
      (real(m.blocks) - dense) * (hidden * real(m.experts.count) + real(m.experts.per_token + m.experts.shared) * each);
  return tokens * (real(m.blocks) * (attention + tokens * pair) + feed_forward) + hidden * real(m.vocabulary);
}

std::map<std::string, Operator> operators(const OperatorGraph& graph) {
  std::map<std::string, Operator> result;
  for (OperatorId id = 0; id < graph.size(); ++id) result[graph.at(id).name] = graph.at(id);
  return result;
}

constexpr const char* small_model = R"(family = "decoder"
[[model]]
name = "small"
tokens = 4
vocabulary = 100
hidden = 16
blocks = 2
heads = 4
ffn = 24
gated = true
activation = "silu"
norm = "rms"
position = "rotary"
positions = 32
bias = false
tied = false
)";

ModelLibrary read(const std::string& text) { return {text, "models.toml"}; }

/// The small model with a line in the place of another one, or with more lines.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = small_model;
  if (from.empty()) return text + to;
  return text.replace(text.find(from), from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("The graph of a prompt has the model's parameters and its work", "[decoder]") {
  for (const std::string& name : library().decoders()) {
    const decoder::Decoder& model = library().decoder(name);
    for (const std::int64_t tokens : {std::int64_t{1}, std::int64_t{7}, std::int64_t{64}, std::int64_t{1000}}) {
      CAPTURE(name, tokens);
      const OperatorGraph graph = library().graph(name, tokens);
      CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
      CHECK(graph.parameters() == decoder::parameters(model));
      CHECK(static_cast<double>(graph.macs()) ==
            Approx(expected_macs(model, static_cast<double>(tokens))).epsilon(1e-12));
      std::int64_t idle = 0;
      for (OperatorId id = 0; id < graph.size(); ++id) idle += graph.at(id).idle;
      CHECK(graph.parameters() - idle == decoder::active_parameters(model));
    }
  }
}

TEST_CASE("Queries of several heads share keys and values", "[decoder]") {
  auto net = operators(library().graph("llama-3.1-8b", 5));
  CHECK(net.at("stage1.block32.q").output.shape == Shape{5, 4096});
  CHECK(net.at("stage1.block32.k").output.shape == Shape{5, 1024});
  CHECK(net.at("stage1.block32.scores").output.shape == Shape{32, 5, 5});
  CHECK(net.at("stage1.block32.scores").product == MatrixProduct{8, 4 * 5, 128, 5});
  CHECK(net.at("stage1.block32.context").product == MatrixProduct{8, 4 * 5, 5, 128});
  CHECK(net.at("stage1.block1.norm1").role == "rms_norm");
  CHECK(net.at("stage1.block1.norm1").parameters == 4096);
  CHECK(net.at("head").output.shape == Shape{1, 128256});
  CHECK(net.at("head").weights == 128256 * 4096);
}

TEST_CASE("A tied head has the weights of the embedding", "[decoder]") {
  auto net = operators(library().graph("gpt2", 5));
  CHECK(net.at("head").shares_weights);
  CHECK(net.at("head").parameters == 0);
  CHECK(net.at("head").product == MatrixProduct{1, 1, 768, 50257});
  CHECK(net.at("position_embedding").parameters == 1024 * 768);
  CHECK(net.at("stage1.block12.fc1").parameters == 768 * 3072 + 3072);
  CHECK(net.at("stage1.block12.norm2").parameters == 2 * 768);
  CHECK(net.count("stage1.block1.rotary") == 0);
}

TEST_CASE("Experts of a token stand side by side, and others are idle", "[decoder]") {
  auto net = operators(library().graph("mixtral-8x7b", 5));
  const Operator& fc1 = net.at("stage1.block1.fc1");
  CHECK(fc1.product == MatrixProduct{1, 5, 4096, 2 * 14336});
  CHECK(fc1.weights == std::int64_t{2} * 4096 * 14336);
  CHECK(fc1.parameters == std::int64_t{8} * 4096 * 14336);
  CHECK(fc1.idle == std::int64_t{6} * 4096 * 14336);
  CHECK(net.at("stage1.block1.router").output.shape == Shape{5, 8});
  auto deep = operators(library().graph("deepseek-v3", 5));
  CHECK(deep.at("stage1.block3.fc1").product.columns == 18432);
  CHECK(deep.at("stage1.block4.fc1").product.columns == 8 * 2048);
  CHECK(deep.at("stage1.block4.shared_fc1").product.columns == 2048);
  CHECK(deep.count("stage1.block3.router") == 0);
}

TEST_CASE("Latent attention makes queries and keys of two parts", "[decoder]") {
  auto net = operators(library().graph("deepseek-v3", 5));
  CHECK(net.at("stage1.block1.kv_down").output.shape == Shape{5, 512 + 64});
  CHECK(net.at("stage1.block1.q").product == MatrixProduct{1, 5, 1536, 128 * 192});
  CHECK(net.at("stage1.block1.scores").product == MatrixProduct{128, 5, 192, 5});
  CHECK(net.at("stage1.block1.context").product == MatrixProduct{128, 5, 5, 128});
  CHECK(net.at("stage1.block1.projection").product.inner == 128 * 128);
}

TEST_CASE("The library gives a system what a model is made of", "[decoder]") {
  CHECK(library().family("llama-2-70b") == "decoder");
  const decoder::Decoder& model = library().decoder("llama-2-70b");
  CHECK(model.kv_heads == 8);
  CHECK(model.head_size == 128);
  CHECK(model.activation == decoder::Activation::silu);
  CHECK(library().decoder("opt-66b").kv_heads == 72);
  const std::vector<std::string> names = library().decoders();
  CHECK(std::find(names.begin(), names.end(), "qwen3-30b-a3b") != names.end());
  CHECK(std::find(names.begin(), names.end(), "bert-base") == names.end());
  CHECK_THROWS_AS(library().decoder("bert-base"), PointError);
  CHECK_THROWS_WITH(library().decoder("bert-base"),
                    Contains("bert-base (family bert) does not generate tokens") && Contains("gpt2, gpt2-medium"));
  CHECK_THROWS_AS(library().decoder("gpt5"), InputError);
  CHECK_THROWS_WITH(library().graph("gpt2", 1025), Contains("takes sequences of 1 to 1024 tokens"));
  CHECK_THROWS_WITH(library().graph("llama-3.1-8b", 16385), Contains("takes sequences of 1 to 16384 tokens"));
}

TEST_CASE("Keys that a model lacks have their defaults", "[decoder]") {
  const decoder::Decoder model = read(small_model).decoder("small");
  CHECK(model.kv_heads == 4);
  CHECK(model.head_size == 4);
  CHECK(model.window == 0);
  CHECK_FALSE(model.query_key_norm);
  CHECK_FALSE(model.latent);
  CHECK_FALSE(model.experts);
  decoder::Decoder expected = model;
  expected.window = 8;
  expected.qkv_bias = true;
  CHECK(read(changed("", "window = 8\nqkv_bias = true\n")).decoder("small") == expected);
  const ModelLibrary latent = read(changed("", "cache_rank = 6\nrotary_size = 2\n"));
  CHECK(latent.decoder("small").latent == decoder::Latent{0, 6, 2});
  CHECK(latent.graph("small", 4).parameters() == decoder::parameters(latent.decoder("small")));
  CHECK(static_cast<double>(latent.graph("small", 4).macs()) == expected_macs(latent.decoder("small"), 4));
}

TEST_CASE("Every combination of parts counts the same in its graph", "[decoder][property]") {
  for (const char* norm : {"rms", "layer"}) {
    for (const char* position : {"rotary", "learned"}) {
      for (const char* gated : {"true", "false"}) {
        for (const char* more :
             {"", "qkv_bias = true\n", "query_key_norm = true\nkv_heads = 2\n", "head_size = 6\nkv_heads = 1\n",
              "experts = 7\nexpert_hidden = 10\nexperts_per_token = 3\nshared_experts = 2\ndense_blocks = 1\n"}) {
          for (const char* bias : {"true", "false"}) {
            const bool has_experts = std::string(more).starts_with("experts");
            if (has_experts && std::string(bias) == "true") continue;
            std::string text = small_model;
            const auto set = [&](const std::string& from, const std::string& to) {
              text.replace(text.find(from), from.size(), to);
            };
            set("norm = \"rms\"", std::string("norm = \"") + norm + '"');
            set("position = \"rotary\"", std::string("position = \"") + position + '"');
            set("gated = true", std::string("gated = ") + gated);
            set("bias = false", std::string("bias = ") + bias);
            const ModelLibrary models = read(text + more);
            CAPTURE(norm, position, gated, more, bias);
            const OperatorGraph graph = models.graph("small", 5);
            CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
            CHECK(graph.parameters() == decoder::parameters(models.decoder("small")));
            CHECK(static_cast<double>(graph.macs()) == expected_macs(models.decoder("small"), 5));
          }
        }
      }
    }
  }
}

TEST_CASE("A step after a context has keys and values as inputs", "[decoder]") {
  const ModelLibrary models = read(changed("", "kv_heads = 2\ncontext = 20\n"));
  const decoder::Decoder& model = models.decoder("small");
  const OperatorGraph graph = models.graph("small", 3);
  CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK(graph.parameters() == decoder::parameters(model));
  auto net = operators(graph);
  for (const char* name : {"stage1.block1.cached_keys", "stage1.block2.cached_values"}) {
    CHECK(net.at(name).kind == OperatorKind::input);
    CHECK(net.at(name).output.shape == Shape{20, 2 * 4});
  }
  CHECK(net.at("stage1.block1.all_keys").output.shape == Shape{23, 2 * 4});
  CHECK(net.at("stage1.block1.scores").product == MatrixProduct{2, 2 * 3, 4, 23});
  CHECK(net.at("stage1.block1.context").product == MatrixProduct{2, 2 * 3, 23, 4});
  // Scores and contexts with the keys before: two multiply-accumulates of each channel of the queries.
  CHECK(static_cast<double>(graph.macs()) == expected_macs(model, 3) + 2 * 2 * 3 * 20 * 16);
  // Elements of all cached inputs are those that a step of tokens reads.
  std::int64_t cached = 0;
  for (const auto& [name, node] : net) {
    if (node.kind == OperatorKind::input && node.block > 0) cached += node.output.elements();
  }
  CHECK(static_cast<double>(cached) == decoder::cached_elements(model, 1, 20));

  const ModelLibrary latent = read(changed("", "cache_rank = 6\nrotary_size = 2\ncontext = 20\n"));
  auto deep = operators(latent.graph("small", 3));
  CHECK(deep.at("stage1.block1.cached_latents").output.shape == Shape{20, 6});
  CHECK(deep.at("stage1.block1.cached_rotated_keys").output.shape == Shape{20, 2});
  CHECK(deep.at("stage1.block1.scores").output.shape == Shape{4, 3, 23});
  CHECK_THAT(latent.graph("small", 3).defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK_THROWS_WITH(latent.graph("small", 13), Contains("takes sequences of 1 to 12 tokens"));
  CHECK_THAT(error_of(changed("", "context = 32\n")),
             Contains("models.toml:17:1: 'context' is 32, which leaves none of 32 positions for tokens"));
}

TEST_CASE("Contradictory parameters are reported with their positions", "[decoder][errors]") {
  CHECK_THAT(error_of(changed("", "kv_heads = 3\n")),
             Contains("models.toml:17:1: 'kv_heads': 3 key-value heads do not divide 4 heads"));
  CHECK_THAT(error_of(changed("heads = 4", "heads = 5")),
             Contains("models.toml:8:1: 'heads': 5 heads do not divide 16"));
  CHECK_THAT(error_of(changed("heads = 4", "heads = 5\nhead_size = 3")), Contains("3 elements are rotated"));
  CHECK_THAT(error_of(changed("", "expert_hidden = 8\nshared_experts = 1\n")),
             Contains("'expert_hidden' needs 'experts', which") && Contains("'shared_experts' needs 'experts', which"));
  CHECK_THAT(error_of(changed("ffn = 24", "experts = 4")), Contains("lacks 'expert_hidden'"));
  const std::string experts = "experts = 4\nexpert_hidden = 8\n";
  CHECK_THAT(error_of(changed("ffn = 24", experts + "experts_per_token = 5")),
             Contains("'experts_per_token' is 5, but there are 4 experts"));
  CHECK_THAT(error_of(changed("ffn = 24", experts + "experts_per_token = 2\ndense_blocks = 2\nffn = 24")),
             Contains("'dense_blocks' is 2, which leaves none of 2 blocks"));
  CHECK_THAT(error_of(changed("ffn = 24", experts + "experts_per_token = 2\ndense_blocks = 1")),
             Contains("lacks 'ffn'"));
  CHECK_THAT(error_of(changed("", experts + "experts_per_token = 2\n")), Contains("but all blocks have experts"));
  CHECK_THAT(error_of(changed("", "rotary_size = 2\n")), Contains("'rotary_size' needs 'cache_rank'"));
  CHECK_THAT(error_of(changed("", "cache_rank = 6\n")), Contains("lacks 'rotary_size'"));
  const std::string latent = "cache_rank = 6\nrotary_size = 2\n";
  CHECK_THAT(error_of(changed("", latent + "kv_heads = 2\nquery_key_norm = true\n")),
             Contains("latent attention has separate keys and values for each head") &&
                 Contains("'query_key_norm' is true, but"));
  CHECK_THAT(error_of(changed("position = \"rotary\"", "position = \"learned\"\n" + latent)),
             Contains("'position' is not rotary, but latent attention rotates"));
  CHECK_THAT(error_of(changed("silu", "sillu")),
             Contains("'activation' is \"sillu\", but one of: gelu, relu, silu") && Contains("did you mean 'silu'?"));
  CHECK_THAT(error_of(changed("", "kv_head = 2\n")), Contains("unknown key 'kv_head'"));
  CHECK_THAT(error_of(changed("tokens = 4", "tokens = 33")), Contains("must be at least 1 and at most 32"));
}

TEST_CASE("A model that 64 bits do not count is a failed point", "[decoder][errors]") {
  const std::string wide =
      "experts = 65536\nexpert_hidden = 1048576\nexperts_per_token = 65536\nshared_experts = 65536";
  const ModelLibrary models = read(changed("ffn = 24", wide));
  CHECK(models.graph("small", 1).macs() > 0);
  std::string text = changed("ffn = 24", wide);
  text.replace(text.find("hidden = 16"), 11, "hidden = 1048576");
  CHECK_THROWS_AS(read(text).graph("small", 32), PointError);
}

}  // namespace pimsweep::workload
