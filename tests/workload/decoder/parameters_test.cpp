// Parameters of language models that generate tokens against the counts of the public models.
#include "workload/decoder/parameters.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "../installed_models.h"
#include "base/checked.h"

namespace pimsweep::workload {

namespace {

constexpr double million = 1e6;

/// A model of any shape that the family takes.
decoder::Decoder random_model(std::mt19937_64& random) {
  const auto up_to = [&](std::uint64_t most) { return static_cast<std::int64_t>(random() % most) + 1; };
  const auto coin = [&] { return random() % 2 == 0; };
  decoder::Decoder model;
  model.vocabulary = up_to(1000);
  model.hidden = up_to(64);
  model.blocks = up_to(8);
  model.kv_heads = up_to(4);
  model.heads = model.kv_heads * up_to(4);
  model.head_size = 2 * up_to(16);
  model.ffn = up_to(256);
  model.gated = coin();
  model.norm = coin() ? decoder::Norm::layer : decoder::Norm::rms;
  model.query_key_norm = coin();
  model.position = coin() ? decoder::Position::learned : decoder::Position::rotary;
  model.positions = up_to(128);
  model.bias = coin();
  model.qkv_bias = coin();
  model.tied = coin();
  if (coin()) {
    model.bias = false;
    const std::int64_t experts = up_to(16);
    model.experts = {experts, up_to(64), up_to(static_cast<std::uint64_t>(experts)), up_to(3) - 1,
                     up_to(static_cast<std::uint64_t>(model.blocks)) - 1};
  }
  return model;
}

}  // namespace

TEST_CASE("Public models have their parameters, in millions", "[decoder]") {
  const auto [name, expected] = GENERATE(table<std::string, double>(
      {{"gpt2", 124.44},         {"gpt2-medium", 354.82},    {"gpt2-large", 774.03},  {"gpt2-xl", 1557.6},
       {"gpt3-175b", 174600},    {"opt-66b", 65720},         {"mt-nlg-530b", 529600}, {"llama-65b", 65286},
       {"llama-2-7b", 6738},     {"llama-2-13b", 13016},     {"llama-2-70b", 68977},  {"llama-3.1-8b", 8030},
       {"llama-3.1-70b", 70554}, {"llama-3.1-405b", 405850}, {"qwen3-8b", 8191},      {"qwen3-32b", 32762},
       {"qwen3-30b-a3b", 30530}, {"mixtral-8x7b", 46700},    {"deepseek-v3", 671000}, {"gemma-7b", 8538},
       {"gpt3-6.7b", 6658},      {"gpt3-13b", 12850},        {"gpt3-30b", 29970},     {"glam-143b", 142800},
       {"grok-1", 315700}}));
  CAPTURE(name);
  const auto counted = static_cast<double>(decoder::parameters(library().decoder(name)));
  CHECK(counted == Approx(expected * million).epsilon(0.001));
}

TEST_CASE("The list of public models is complete", "[decoder]") { CHECK(library().decoders().size() == 27); }

TEST_CASE("Checkpoints have exactly so many elements", "[decoder]") {
  const auto of = [](const std::string& name) { return decoder::parameters(library().decoder(name)); };
  CHECK(of("gpt2") == 124'439'808);
  CHECK(of("llama-2-7b") == 6'738'415'616);
  CHECK(of("llama-3.1-8b") == 8'030'261'248);
  CHECK(of("mixtral-8x7b") == 46'702'792'704);
  CHECK(of("gemma-7b") == 8'537'680'896);
}

TEST_CASE("A token has to do with the experts that it passes through", "[decoder]") {
  const auto active = [](const std::string& name) {
    return static_cast<double>(decoder::active_parameters(library().decoder(name))) / million;
  };
  // 37B, 12.9B and 3.3B in the papers of the models (arXiv 2412.19437, 2401.04088, 2505.09388).
  CHECK(active("deepseek-v3") == Approx(37'000).epsilon(0.02));
  CHECK(active("mixtral-8x7b") == Approx(12'900).epsilon(0.005));
  CHECK(active("qwen3-30b-a3b") == Approx(3'300).epsilon(0.02));
  for (const std::string& name : library().decoders()) {
    CAPTURE(name);
    const decoder::Decoder& model = library().decoder(name);
    CHECK((decoder::active_parameters(model) == decoder::parameters(model)) == !model.experts);
  }
}

TEST_CASE("More of anything is not fewer parameters", "[decoder][property]") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const decoder::Decoder model = random_model(random);
    const std::int64_t before = decoder::parameters(model);
    CHECK(decoder::active_parameters(model) <= before);
    for (std::int64_t decoder::Decoder::*size :
         {&decoder::Decoder::vocabulary, &decoder::Decoder::hidden, &decoder::Decoder::blocks, &decoder::Decoder::heads,
          &decoder::Decoder::kv_heads, &decoder::Decoder::head_size, &decoder::Decoder::ffn,
          &decoder::Decoder::positions}) {
      decoder::Decoder larger = model;
      ++(larger.*size);
      CHECK(decoder::parameters(larger) >= before);
    }
    decoder::Decoder untied = model;
    untied.tied = false;
    CHECK(decoder::parameters(untied) - before == (model.tied ? model.vocabulary * model.hidden : 0));
  }
}

TEST_CASE("Parameters beyond 64 bits are an error", "[decoder][errors]") {
  decoder::Decoder model = library().decoder("deepseek-v3");
  model.experts.hidden = std::numeric_limits<std::int64_t>::max() / 1024;
  CHECK_THROWS_AS(decoder::parameters(model), OverflowError);
}

}  // namespace pimsweep::workload
