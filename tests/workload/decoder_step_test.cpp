#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "base/error.h"
#include "workload/decoder/parameters.h"
#include "workload/decoder/step.h"

namespace pimsweep::workload::decoder {

namespace {

Decoder llama_8b() {
  return {.vocabulary = 128256,
          .hidden = 4096,
          .blocks = 32,
          .heads = 32,
          .kv_heads = 8,
          .head_size = 128,
          .ffn = 14336,
          .gated = true,
          .activation = Activation::silu,
          .norm = Norm::rms,
          .positions = 131072};
}

Decoder qwen_30b() {
  return {.vocabulary = 151936,
          .hidden = 2048,
          .blocks = 48,
          .heads = 32,
          .kv_heads = 4,
          .head_size = 128,
          .ffn = 6144,
          .gated = true,
          .activation = Activation::silu,
          .norm = Norm::rms,
          .query_key_norm = true,
          .positions = 40960,
          .experts = {.count = 128, .hidden = 768, .per_token = 8}};
}

/// DeepSeek-V3's attention in a small model.
Decoder latent() {
  return {.vocabulary = 129280,
          .hidden = 7168,
          .blocks = 4,
          .heads = 128,
          .kv_heads = 128,
          .head_size = 128,
          .ffn = 18432,
          .gated = true,
          .activation = Activation::silu,
          .norm = Norm::rms,
          .positions = 163840,
          .latent = {.query_rank = 1536, .cache_rank = 512, .rotary_size = 64},
          .experts = {.count = 256, .hidden = 2048, .per_token = 8, .shared = 1, .dense_blocks = 3}};
}

Step step_of(const Decoder& decoder, const std::vector<Sequences>& sequences, const Bits& bits = {},
             std::int64_t gpus = 1) {
  Step step;
  make_step(decoder, sequences, bits, gpus, step);
  return step;
}

template <typename Value>
double sum(const Step& step, Value value) {
  double total = 0;
  for (const Operator& op : step.operators) total += op.times * std::invoke(value, op);
  return total;
}

double operations(const Step& step) {
  return sum(step, [](const Operator& op) { return op.operations; });
}
double bytes(const Step& step) { return sum(step, &Operator::bytes); }

Operator find(const Step& step, std::string_view name) {
  const auto found = std::ranges::find(step.operators, name, &Operator::name);
  REQUIRE(found != step.operators.end());
  return *found;
}

}  // namespace

TEST_CASE("decoding multiplies each token with all weights and attends to its context") {
  const Decoder d = llama_8b();
  const double batch = 7;
  const double context = 1000;
  const Step step = step_of(d, {{.count = batch, .context = context}});
  const double per_block = 4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3 * 4096.0 * 14336;
  const double matrices = 32 * per_block + 4096.0 * 128256;
  double products = 0;
  for (const Operator& op : step.operators) {
    if (op.kind == Kind::linear || op.kind == Kind::head || op.kind == Kind::attention) {
      products += op.times * op.operations;
    }
  }
  CHECK(products == Approx(2 * batch * matrices + 32 * 4 * 32 * 128 * batch * (context + 1)));
  CHECK(sum(step, &Operator::weight_bytes) == Approx(2 * (matrices + batch * 4096)));
  CHECK(sum(step, &Operator::cache_read) == Approx(32 * 2 * 2 * 1024 * batch * context));
  CHECK(sum(step, &Operator::cache_written) == Approx(32 * 2 * 2 * 1024 * batch));
  CHECK(cached_elements(d, 1, 10) == 10 * 32 * 2 * 1024);
}

TEST_CASE("a prompt attends to itself, each token to those before") {
  const Decoder d = llama_8b();
  const Operator whole = find(step_of(d, {{.new_tokens = 100, .is_prompt = true}}), "prompt_attention");
  CHECK(whole.operations == Approx(4 * 32 * 128 * 100 * 101 / 2.0));
  CHECK(whole.cache_read == 0);
  // Two chunks do the same products as the whole prompt, and decoding token by token too.
  const double chunks =
      find(step_of(d, {{.new_tokens = 60, .is_prompt = true}}), "prompt_attention").operations +
      find(step_of(d, {{.new_tokens = 40, .context = 60, .is_prompt = true}}), "prompt_attention").operations;
  CHECK(chunks == Approx(whole.operations));
  // A mixed step has both, and the other operators see all tokens.
  const Step mixed = step_of(d, {{.count = 3, .context = 50}, {.new_tokens = 60, .is_prompt = true}});
  CHECK(find(mixed, "prompt_attention").rows == 60);
  CHECK(find(mixed, "attention").rows == 3);
  CHECK(find(mixed, "qkv").rows == 63);
}

TEST_CASE("bits of weights and of the cache count apart") {
  const Decoder d = llama_8b();
  const std::vector<Sequences> sequences{{.count = 4, .context = 512}};
  const Step half = step_of(d, sequences, {.weights = 8, .cache = 4});
  const Step full = step_of(d, sequences);
  CHECK(sum(half, &Operator::weight_bytes) == Approx(sum(full, &Operator::weight_bytes) / 2));
  CHECK(sum(half, &Operator::cache_read) == Approx(sum(full, &Operator::cache_read) / 4));
  CHECK(operations(half) == operations(full));
}

TEST_CASE("GPUs share heads and columns, and add partial sums") {
  const Decoder d = llama_8b();
  const std::vector<Sequences> sequences{{.count = 4, .context = 512}};
  const Step one = step_of(d, sequences);
  const Step four = step_of(d, sequences, {}, 4);
  for (const char* name : {"qkv", "attention", "output", "ffn_up", "ffn_down", "head"}) {
    CHECK(4 * find(four, name).operations == Approx(find(one, name).operations));
  }
  CHECK(std::ranges::count(four.operators, Kind::all_reduce, &Operator::kind) == 2);
  CHECK(find(four, "ffn_all_reduce").input_bytes == 4 * 4096 * 2);
  CHECK(std::ranges::count(one.operators, Kind::all_reduce, &Operator::kind) == 0);
  // Eight key-value heads on sixteen GPUs: each has one.
  CHECK(cached_elements(d, 16, 1) == cached_elements(d, 8, 1));
  CHECK_THROWS_AS(step_of(d, sequences, {}, 3), PointError);
}

TEST_CASE("experts: all are read by many tokens, those of one token by one") {
  const Decoder d = qwen_30b();
  const Operator one = find(step_of(d, {{.count = 1}}), "experts");
  CHECK(one.products == Approx(8));
  CHECK(one.rows == Approx(1));
  const Operator many = find(step_of(d, {{.count = 4096}}), "experts");
  CHECK(many.products == Approx(128));
  CHECK(many.rows == Approx(4096 * 8 / 128.0));
  CHECK(many.weight_bytes == Approx(128 * 3 * 2048.0 * 768 * 2));
  CHECK(many.operations == Approx(4096 * 8 * 3 * 2 * 2048.0 * 768));
}

TEST_CASE("latent attention reads one vector a position for all heads") {
  const Decoder d = latent();
  const double context = 1e6;
  const Operator attention = find(step_of(d, {{.context = context}}), "attention");
  CHECK(cached_elements(d, 1, 1) == 4 * 576);
  CHECK(cached_elements(d, 8, 1) == 4 * 576);
  CHECK(attention.operations == Approx(2 * 128 * (576 + 512) * (context + 1)));
  // 242 operations a byte if the cache is read once.
  CHECK(attention.operations / (2 * attention.cache_read) == Approx(120.9).epsilon(1e-3));
  CHECK(find(step_of(d, {{.context = context}}), "ffn_up").times == 3);
  CHECK(find(step_of(d, {{.context = context}}), "experts").times == 1);
}

TEST_CASE("a window bounds what a token attends to") {
  CHECK(attended_positions({.new_tokens = 1, .context = 99}, 0) == 100);
  CHECK(attended_positions({.new_tokens = 1, .context = 99}, 30) == 30);
  CHECK(read_positions({.new_tokens = 1, .context = 99}, 30) == 30);
  for (const double context : {0.0, 3.0, 10.0}) {
    for (const double tokens : {1.0, 5.0, 12.0}) {
      for (const std::int64_t window : {1, 4, 9}) {
        double all = 0;
        for (int token = 0; token < static_cast<int>(tokens); ++token) {
          all += std::min(static_cast<double>(window), context + token + 1);
        }
        CHECK(attended_positions({.new_tokens = tokens, .context = context}, window) == all);
      }
    }
  }
}

TEST_CASE("blocks with and without a window: operations, bytes and cache are means over all of them") {
  Decoder windowed = llama_8b();
  windowed.window = 512;
  Decoder mixed = windowed;
  for (std::int64_t block = 4; block <= 32; block += 4) mixed.full_blocks.push_back(block);
  const std::vector<Sequences> sequences{{.count = 3, .context = 4000}, {.new_tokens = 700, .is_prompt = true}};
  for (const char* name : {"attention", "prompt_attention"}) {
    const Operator all = find(step_of(llama_8b(), sequences), name);
    const Operator none = find(step_of(windowed, sequences), name);
    const Operator some = find(step_of(mixed, sequences), name);
    CHECK(some.operations == Approx(0.25 * all.operations + 0.75 * none.operations));
    CHECK(some.cache_read == Approx(0.25 * all.cache_read + 0.75 * none.cache_read));
    CHECK(none.operations < all.operations);
  }
  CHECK(cached_elements(mixed, 1, 4000) == Approx((8 * 4000 + 24 * 512) * 2 * 1024.0));
  CHECK(cached_elements(mixed, 1, 500) == cached_elements(llama_8b(), 1, 500));
}

TEST_CASE("a quantized checkpoint sets bits by part, and given bits replace them") {
  Decoder d = qwen_30b();
  d.storage = {.weight_bits = 4.25, .experts = true, .cache_bits = 8};
  const std::vector<Sequences> sequences{{.count = 4, .context = 512}};
  const Step full = step_of(d, sequences);
  const Step stored = step_of(d, sequences, {.weights = 0, .cache = 0});
  CHECK(find(stored, "experts").weight_bytes == Approx(4.25 / 16 * find(full, "experts").weight_bytes));
  CHECK(find(stored, "experts").weight_bits == 4.25);
  for (const char* name : {"qkv", "output", "router", "head", "embedding"}) {
    CHECK(find(stored, name).weight_bytes == find(full, name).weight_bytes);
  }
  CHECK(find(stored, "attention").cache_read == find(full, "attention").cache_read / 2);
  CHECK(resolved({.weights = 0, .cache = 0}, d).cache == 8);
  CHECK(resolved({.weights = 0, .cache = 0}, llama_8b()).weights == 16);
}

TEST_CASE("GPUs hold their share of the weights, and all of what is not divided") {
  for (const Decoder& d : {llama_8b(), qwen_30b(), latent()}) {
    CHECK(weight_bytes(d, 16, 1) == Approx(2.0 * static_cast<double>(parameters(d))));
    CHECK(weight_bytes(d, 0, 1) == weight_bytes(d, 16, 1));
  }
  // 8 key-value heads: from 16 GPUs on each has one, twice its share or more.
  const Decoder d = llama_8b();
  const auto all = static_cast<double>(parameters(d));
  const double norms = 32 * 2 * 4096;
  CHECK(weight_bytes(d, 16, 8) == Approx(2 * (all / 8 + 7.0 / 8 * norms)));
  CHECK(weight_bytes(d, 16, 32) == Approx(2 * (all / 32 + 31.0 / 32 * norms + 0.75 * 32 * 2 * 4096 * 128)));
  // A latent vector is computed on each GPU.
  const Decoder l = latent();
  const double down = 4.0 * 7168 * (1536 + 512 + 64);
  CHECK(weight_bytes(l, 16, 4) - 2 * static_cast<double>(parameters(l)) / 4 > 2 * 0.75 * down);
  Decoder quantized = qwen_30b();
  quantized.storage = {.weight_bits = 8, .experts = true};
  const double experts = 48.0 * 128 * 3 * 2048 * 768;
  CHECK(weight_bytes(quantized, 0, 1) == Approx(2.0 * static_cast<double>(parameters(quantized)) - experts));
}

TEST_CASE("more sequences, tokens or context never mean fewer operations or bytes") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(0, 1);
  for (int i = 0; i < 300; ++i) {
    const Decoder d = i % 3 == 0 ? llama_8b() : i % 3 == 1 ? qwen_30b() : latent();
    const Sequences some{.count = std::floor(1 + 64 * draw(random)),
                         .new_tokens = std::floor(1 + 9 * draw(random)),
                         .context = std::floor(5000 * draw(random))};
    const Step base = step_of(d, {some});
    for (double Sequences::*more : {&Sequences::count, &Sequences::new_tokens, &Sequences::context}) {
      Sequences larger = some;
      larger.*more += 1;
      const Step grown = step_of(d, {larger});
      CHECK(operations(grown) >= operations(base));
      CHECK(bytes(grown) >= bytes(base));
    }
  }
}

}  // namespace pimsweep::workload::decoder
