#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "hardware/gpu/language/cards.h"

using namespace pimsweep::hardware::gpu::language;

namespace {

using LanguageKernel = std::function<KernelTime(const Card&)>;

struct LawInputs {
  std::mt19937_64 random{7};

  /// Whole number, log-uniform.
  double number(double low, double high) {
    std::uniform_real_distribution<double> exponent(std::log(low), std::log(high + 1));
    return std::floor(std::exp(exponent(random)));
  }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }

  Card card() {
    Card card = measured_card(number(1, 2) == 1 ? "RTX 4090" : "RTX PRO 6000");
    card.multiprocessors = number(20, 200);
    card.clock = real(0.8e9, 3e9);
    card.tensor_rate = number(256, 4096);
    card.memory_bandwidth = real(300e9, 8e12);
    card.cache_capacity = real(4e6, 200e6);
    card.memory_efficiency = real(0.5, 1);
    card.tensor_efficiency = real(0.5, 1);
    card.attention_efficiency = real(0.3, 1);
    return card;
  }
  DenseShape dense_shape() {
    return {.tokens = number(1, 4096),
            .inner = number(64, 16384),
            .columns = number(64, 65536),
            .weight_bytes = real(0.5, 4),
            .working_set = real(1e6, 1e9)};
  }
  AttentionShape attention_shape() {
    const double kv_heads = number(1, 32);
    const double heads = kv_heads * number(1, 16);
    const double size = number(64, 256);
    return {.heads = heads,
            .kv_heads = kv_heads,
            .key_size = size,
            .value_size = size,
            .cache_bytes = 4 * kv_heads * size,
            .reads = number(1, 2) == 1 ? 1 : heads / kv_heads};
  }
  std::vector<SequenceGroup> groups() {
    std::vector<SequenceGroup> groups(static_cast<std::size_t>(number(1, 4)));
    for (SequenceGroup& group : groups) group = {number(1, 200), number(1, 40000)};
    return groups;
  }
  PrefillChunk prefill() {
    return {.chunk = number(1, 8192), .earlier = number(1, 30000) - 1, .sequences = number(1, 8)};
  }
  ExpertsShape experts_shape() {
    const double per_token = number(1, 8);
    const double tokens = number(1, 4096);
    return {.tokens = tokens,
            .active = std::min(per_token * number(1, 16), tokens * per_token),
            .per_token = per_token,
            .hidden = number(256, 8192),
            .width = number(256, 16384),
            .working_set = real(1e6, 1e9)};
  }

  /// One kernel of each sort.
  std::vector<LanguageKernel> kernels() {
    const DenseShape product = dense_shape();
    const AttentionShape attention = attention_shape();
    const std::vector<SequenceGroup> batch = groups();
    const PrefillChunk chunk = prefill();
    const ExpertsShape layer = experts_shape();
    const double tokens = number(1, 4096);
    const double width = number(128, 32768);
    return {[=](const Card& card) { return dense(card, product); },
            [=](const Card& card) { return head(card, tokens, 4096, 10 * width); },
            [=](const Card& card) { return sampler(card, tokens, 10 * width); },
            [=](const Card& card) { return decode_attention(card, attention, batch); },
            [=](const Card& card) { return prefill_attention(card, attention, chunk); },
            [=](const Card& card) { return experts(card, layer); },
            [=](const Card& card) { return embedding(card, tokens, width); },
            [=](const Card& card) { return normalization(card, tokens, width, true); },
            [=](const Card& card) { return rotary(card, tokens, width); },
            [=](const Card& card) { return activation(card, tokens, width, true); }};
  }
};

constexpr int law_rounds = 400;
/// Rounding of sums.
constexpr double law_slack = 1 + 1e-12;

}  // namespace

TEST_CASE("no kernel of a language model is faster than the roofline, or slower on a better card") {
  LawInputs inputs;
  const std::array<double Card::*, 8> members = {&Card::multiprocessors,   &Card::clock,
                                                 &Card::tensor_rate,       &Card::memory_bandwidth,
                                                 &Card::cache_capacity,    &Card::memory_efficiency,
                                                 &Card::tensor_efficiency, &Card::attention_efficiency};
  for (int round = 0; round < law_rounds; ++round) {
    const Card card = inputs.card();
    for (const LanguageKernel& kernel : inputs.kernels()) {
      const KernelTime time = kernel(card);
      REQUIRE(std::isfinite(time.seconds));
      REQUIRE(time.seconds * law_slack >= time.memory_bytes / card.memory_bandwidth);
      REQUIRE(time.seconds * law_slack >= time.operations / card.peak_rate());
      for (double Card::*const member : members) {
        Card better = card;
        better.*member += member == &Card::multiprocessors ? inputs.number(1, 50) : card.*member * inputs.real(0, 1);
        REQUIRE(kernel(better).seconds <= time.seconds * law_slack);
      }
    }
  }
}

TEST_CASE("no kernel of a language model is faster with more tokens, context, sequences or values") {
  LawInputs inputs;
  for (int round = 0; round < law_rounds; ++round) {
    const Card card = inputs.card();
    const auto grown = [&](double value) { return value + inputs.number(1, 300); };
    DenseShape product = inputs.dense_shape();
    double before = dense(card, product).seconds;
    for (double DenseShape::*const member :
         {&DenseShape::tokens, &DenseShape::inner, &DenseShape::columns, &DenseShape::working_set}) {
      product.*member = grown(product.*member);
      const double after = dense(card, product).seconds;
      REQUIRE(before <= after * law_slack);
      before = after;
    }
    const AttentionShape attention = inputs.attention_shape();
    std::vector<SequenceGroup> batch = inputs.groups();
    before = decode_attention(card, attention, batch).seconds;
    batch.front().context = grown(batch.front().context);
    const double longer = decode_attention(card, attention, batch).seconds;
    REQUIRE(before <= longer * law_slack);
    batch.back().count = grown(batch.back().count);
    const double wider = decode_attention(card, attention, batch).seconds;
    REQUIRE(longer <= wider * law_slack);
    batch.push_back({1, 1});
    REQUIRE(wider <= decode_attention(card, attention, batch).seconds * law_slack);
    PrefillChunk prefill = inputs.prefill();
    before = prefill_attention(card, attention, prefill).seconds;
    for (double PrefillChunk::*const member :
         {&PrefillChunk::chunk, &PrefillChunk::earlier, &PrefillChunk::sequences}) {
      prefill.*member = grown(prefill.*member);
      const double after = prefill_attention(card, attention, prefill).seconds;
      REQUIRE(before <= after * law_slack);
      before = after;
    }
    ExpertsShape layer = inputs.experts_shape();
    before = experts(card, layer).seconds;
    layer.tokens = grown(layer.tokens);
    REQUIRE(before <= experts(card, layer).seconds * law_slack);
    const double tokens = inputs.number(1, 2000);
    const double more = grown(tokens);
    const double width = inputs.number(64, 20000);
    REQUIRE(embedding(card, tokens, width).seconds <= embedding(card, more, width).seconds * law_slack);
    REQUIRE(rotary(card, tokens, width).seconds <= rotary(card, more, width).seconds * law_slack);
    REQUIRE(activation(card, tokens, width, true).seconds <= activation(card, more, width, true).seconds * law_slack);
    REQUIRE(normalization(card, tokens, width, true).seconds <=
            normalization(card, more, width, true).seconds * law_slack);
    REQUIRE(sampler(card, tokens, width).seconds <= sampler(card, more, width).seconds * law_slack);
  }
}

TEST_CASE("decode attention: groups, an empty batch, shared reads and latent attention") {
  const Card card = measured_card("RTX PRO 6000");
  const AttentionShape grouped = {
      .heads = 32, .kv_heads = 8, .key_size = 128, .value_size = 128, .cache_bytes = 4 * 8 * 128};
  CHECK(decode_attention(card, grouped, {}).seconds == 0);

  const std::array<SequenceGroup, 2> halves = {{{16, 4096}, {16, 4096}}};
  const std::array<SequenceGroup, 1> whole = {{{32, 4096}}};
  const KernelTime time = decode_attention(card, grouped, whole);
  CHECK(decode_attention(card, grouped, halves).seconds == time.seconds);
  CHECK(time.memory_bytes == 32.0 * 4096 * 4 * 8 * 128);
  CHECK(time.operations == 2.0 * 32 * 4096 * 32 * 256);

  // Eight loads of each cached byte take longer than memory.
  AttentionShape paged = grouped;
  paged.heads = 64;
  paged.reads = 8;
  CHECK(decode_attention(card, paged, whole).seconds > time.seconds);
  CHECK(decode_attention(card, paged, whole).memory_bytes == time.memory_bytes);

  // DeepSeek-V3: 128 heads share 512 + 64 values, so tensor cores and not memory are the limit.
  const AttentionShape latent = {
      .heads = 128, .kv_heads = 1, .key_size = 576, .value_size = 512, .cache_bytes = 2 * 576};
  const KernelTime joined = decode_attention(card, latent, whole);
  CHECK(joined.operations / joined.memory_bytes == Approx(128 * 2.0 * (576 + 512) / (2 * 576)));
  CHECK(joined.seconds > 1.1 * joined.memory_bytes / card.memory_rate() + card.kernels.decode_latency);
}
