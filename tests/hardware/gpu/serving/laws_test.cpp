#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "hardware/gpu/serving/elementwise.h"
#include "hardware/gpu/serving/expert_loads.h"
#include "hardware/gpu/serving/kernels.h"
#include "hardware/links/collectives.h"

using namespace pimsweep::hardware::gpu::serving;
namespace links = pimsweep::hardware::links;

namespace {

using ServingKernel = std::function<KernelTime(const Card&)>;

/// Random GPUs and shapes.
struct ServingInputs {
  std::mt19937_64 random{11};

  double number(double low, double high) {
    std::uniform_real_distribution<double> exponent(std::log(low), std::log(high + 1));
    return std::floor(std::exp(exponent(random)));
  }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  bool coin() { return number(1, 2) == 1; }

  Kernels kernels() {
    Kernels k;
    k.dense_latency = real(0, 5e-6);
    k.split_latency = real(0, 5e-6);
    k.narrow_latency = real(0, 9e-6);
    k.narrow_traffic = real(0, 2);
    k.cache_ratio = real(1, 8);
    k.cache_share = real(0, 1);
    k.load_bytes_per_cycle = real(10, 100);
    k.narrow_load_bytes_per_cycle = real(10, 100);
    k.tile_overhead = real(0, 4);
    k.overlap = real(1, 5);
    k.decode_latency = real(0, 15e-6);
    k.decode_split_latency = real(0, 6e-6);
    k.decode_part_latency = real(0, 3e-7);
    k.decode_block_time = real(0, 4e-6);
    k.decode_step = real(0, 3e-6);
    k.decode_memory_efficiency = real(0.5, 1);
    k.decode_cache_ratio = real(1, 8);
    k.prefill_latency = real(0, 12e-6);
    k.exponential_cycles = real(0, 0.06);
    k.store_efficiency = real(0.1, 1);
    k.prefill_block_time = real(0, 3e-6);
    k.empty_block_cycles = real(0, 1000);
    k.prefill_cache_ratio = real(0.3, 8);
    k.query_rows = coin() ? 64 : 128;
    k.experts_latency = real(0, 50e-6);
    k.experts_memory_efficiency = real(0.5, 1);
    k.experts_tensor_efficiency = real(0.3, 1);
    k.experts_load_bytes_per_cycle = real(10, 100);
    k.experts_traffic = real(0, 1);
    k.empty_latency = real(0, 1e-6);
    k.trip_latency = real(0, 1e-6);
    k.block_bytes_per_cycle = real(5, 50);
    k.block_cycles = real(0, 500);
    k.sampler_latency = real(0, 2e-5);
    return k;
  }
  Card card() {
    Card card;
    card.multiprocessors = number(20, 200);
    card.clock = real(0.8e9, 3e9);
    card.tensor_rate = number(256, 8192);
    card.narrow_speedup = coin() ? 1 : 2;
    card.fp4_speedup = card.narrow_speedup * card.narrow_speedup;
    card.memory_bandwidth = real(300e9, 8e12);
    card.cache_capacity = real(4e6, 200e6);
    card.memory_efficiency = real(0.5, 1);
    card.tensor_efficiency = real(0.5, 1);
    card.narrow_efficiency = real(0.5, 1);
    card.attention_efficiency = real(0.3, 1);
    card.splits_groups_only = coin();
    card.packs_heads = coin();
    card.kernels = kernels();
    return card;
  }
  AttentionShape attention() {
    const double kv_heads = number(1, 32);
    const double size = number(64, 256);
    return {.heads = kv_heads * number(1, 16),
            .kv_heads = kv_heads,
            .key_size = size,
            .value_size = size,
            .cache_bytes = 4 * kv_heads * size,
            .reads = coin() ? 1 : number(2, 16),
            .is_cached = coin()};
  }
  ExpertRouting routing() {
    return {.tokens = number(1, 8192),
            .experts = number(8, 256),
            .per_token = number(1, 8),
            .ranks = number(1, 8),
            .skew = coin() ? 0 : real(0.5, 2)};
  }
};

constexpr int law_rounds = 300;
/// Rounding of sums.
constexpr double law_slack = 1 + 1e-12;

/// One kernel of each sort, none of which has narrow factors.
std::vector<ServingKernel> kernels_of(ServingInputs& in) {
  const DenseShape product{.tokens = in.number(1, 8192),
                           .inner = in.number(32, 16384),
                           .columns = in.number(32, 65536),
                           .working_set = in.real(1e6, 1e9)};
  const AttentionShape attention = in.attention();
  const std::vector<SequenceGroup> groups{{in.number(1, 500), in.number(1, 60000)},
                                          {in.number(1, 9), in.number(1, 9000)}};
  const PrefillChunk chunk{.chunk = in.number(1, 9000),
                           .earlier = in.coin() ? 0 : in.number(1, 9000),
                           .sequences = in.number(1, 16),
                           .window = in.coin() ? in.number(64, 9000) : std::numeric_limits<double>::infinity()};
  const ExpertRouting routing = in.routing();
  const ExpertsShape layer{.tokens = routing.tokens,
                           .per_token = routing.per_token,
                           .hidden = in.number(256, 8192),
                           .width = in.number(64, 16384)};
  const double rows = in.number(1, 4096);
  const double width = in.number(128, 32768);
  return {[=](const Card& card) { return dense(card, product); },
          [=](const Card& card) { return decode_attention(card, attention, groups); },
          [=](const Card& card) { return prefill_attention(card, attention, chunk); },
          [=](const Card& card) { return mixed_attention(card, attention, std::span(&chunk, 1), groups); },
          [=](const Card& card) { return experts(card, layer, expert_loads(routing)); },
          [=](const Card& card) { return expert(card, layer, std::min(rows, layer.tokens)); },
          [=](const Card& card) { return embedding(card, rows, width); },
          [=](const Card& card) { return normalization(card, rows, width, true); },
          [=](const Card& card) { return rotary(card, rows, width); },
          [=](const Card& card) { return activation(card, rows, width, true); },
          [=](const Card& card) { return sampler(card, rows, 10 * width); }};
}

}  // namespace

TEST_CASE("no serving kernel is faster than the roofline, or slower on a better GPU") {
  ServingInputs inputs;
  const std::array<double Card::*, 8> members = {&Card::multiprocessors,   &Card::clock,
                                                 &Card::tensor_rate,       &Card::memory_bandwidth,
                                                 &Card::cache_capacity,    &Card::memory_efficiency,
                                                 &Card::tensor_efficiency, &Card::attention_efficiency};
  for (int round = 0; round < law_rounds; ++round) {
    const Card card = inputs.card();
    for (const ServingKernel& kernel : kernels_of(inputs)) {
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

TEST_CASE("no serving kernel is faster with more tokens, context, sequences or values") {
  ServingInputs inputs;
  for (int round = 0; round < law_rounds; ++round) {
    const Card card = inputs.card();
    DenseShape product{
        .tokens = inputs.number(1, 4096), .inner = inputs.number(32, 9000), .columns = inputs.number(32, 9000)};
    double before = dense(card, product).seconds;
    for (double DenseShape::*const member : {&DenseShape::tokens, &DenseShape::inner, &DenseShape::columns}) {
      product.*member += inputs.number(1, 300);
      const double after = dense(card, product).seconds;
      REQUIRE(before <= after * law_slack);
      before = after;
    }
    const AttentionShape attention = inputs.attention();
    std::vector<SequenceGroup> groups{{inputs.number(1, 300), inputs.number(1, 40000)}};
    before = decode_attention(card, attention, groups).seconds;
    groups.front().context += inputs.number(1, 300);
    const double longer = decode_attention(card, attention, groups).seconds;
    REQUIRE(before <= longer * law_slack);
    groups.front().count += inputs.number(1, 300);
    before = decode_attention(card, attention, groups).seconds;
    REQUIRE(longer <= before * law_slack);
    // The same with sequences of several contexts.
    groups.push_back({inputs.number(1, 300), inputs.number(1, 40000)});
    for (SequenceGroup& group : groups) {
      for (double SequenceGroup::*const member : {&SequenceGroup::count, &SequenceGroup::context}) {
        group.*member += inputs.number(1, 300);
        const double after = decode_attention(card, attention, groups).seconds;
        REQUIRE(before <= after * law_slack);
        before = after;
      }
    }
    PrefillChunk chunk{
        .chunk = inputs.number(1, 8192), .earlier = inputs.number(1, 9000) - 1, .sequences = inputs.number(1, 8)};
    before = prefill_attention(card, attention, chunk).seconds;
    for (double PrefillChunk::*const member :
         {&PrefillChunk::chunk, &PrefillChunk::earlier, &PrefillChunk::sequences}) {
      chunk.*member += inputs.number(1, 300);
      const double after = prefill_attention(card, attention, chunk).seconds;
      REQUIRE(before <= after * law_slack);
      before = after;
    }
    // Beside prompts, decodes add time, and the more the longer they are; so do further prompts.
    std::vector<PrefillChunk> prompts{chunk};
    REQUIRE(mixed_attention(card, attention, prompts, {}).seconds == before);
    std::vector<SequenceGroup> decodes{{inputs.number(1, 300), inputs.number(1, 20000)}};
    const double mixed = mixed_attention(card, attention, prompts, decodes).seconds;
    REQUIRE(before <= mixed * law_slack);
    decodes.front().context += inputs.number(1, 300);
    const double with_longer = mixed_attention(card, attention, prompts, decodes).seconds;
    REQUIRE(mixed <= with_longer * law_slack);
    decodes.push_back({inputs.number(1, 9), inputs.number(1, 20000)});
    prompts.push_back({.chunk = inputs.number(1, 512)});
    REQUIRE(with_longer <= mixed_attention(card, attention, prompts, decodes).seconds * law_slack);
    const double rows = inputs.number(1, 2000);
    const double more = rows + inputs.number(1, 300);
    const double width = inputs.number(64, 20000);
    REQUIRE(embedding(card, rows, width).seconds <= embedding(card, more, width).seconds * law_slack);
    REQUIRE(normalization(card, rows, width, true).seconds <=
            normalization(card, more, width, true).seconds * law_slack);
    REQUIRE(activation(card, rows, width, true).seconds <= activation(card, more, width, true).seconds * law_slack);
    REQUIRE(sampler(card, rows, width).seconds <= sampler(card, more, width).seconds * law_slack);
  }
}

TEST_CASE("decode attention: groups, an empty batch, repeated reads and latent attention") {
  ServingInputs inputs;
  Card card = inputs.card();
  card.kernels.block_bytes_per_cycle = 20;
  const AttentionShape grouped = {
      .heads = 64, .kv_heads = 8, .key_size = 128, .value_size = 128, .cache_bytes = 4 * 8 * 128};
  CHECK(decode_attention(card, grouped, {}).seconds == 0);
  const std::array<SequenceGroup, 2> halves = {{{16, 4096}, {16, 4096}}};
  const std::array<SequenceGroup, 1> whole = {{{32, 4096}}};
  const KernelTime time = decode_attention(card, grouped, whole);
  CHECK(decode_attention(card, grouped, halves).seconds == time.seconds);
  CHECK(time.memory_bytes == 32.0 * 4096 * 4 * 8 * 128);
  CHECK(time.operations == 2.0 * 32 * 4096 * 64 * 256);
  // Sequences that are not split: few long ones outlast the others, and cost more than their keys.
  card.splits_groups_only = true;
  card.multiprocessors = 100;
  card.kernels.decode_step = 3e-6;
  const std::array<SequenceGroup, 1> equal = {{{64, 2000}}};
  const std::array<SequenceGroup, 2> unequal = {{{63, 1500}, {1, 33500}}};
  CHECK(decode_attention(card, grouped, unequal).memory_bytes == decode_attention(card, grouped, equal).memory_bytes);
  CHECK(decode_attention(card, grouped, unequal).seconds >
        decode_attention(card, grouped, equal).seconds + 32000.0 / 128 * 2e-6);
  // Loads by each query head take bytes x 8 at the rate of plain thread blocks.
  AttentionShape paged = grouped;
  paged.reads = 8;
  CHECK(decode_attention(card, paged, whole).seconds >=
        8 * time.memory_bytes / (card.multiprocessors * card.clock * card.kernels.block_bytes_per_cycle));
  CHECK(decode_attention(card, paged, whole).memory_bytes == time.memory_bytes);
  // DeepSeek-V3: 128 heads share 512 + 64 values.
  const AttentionShape latent = {
      .heads = 128, .kv_heads = 1, .key_size = 576, .value_size = 512, .cache_bytes = 2 * 576};
  const KernelTime joined = decode_attention(card, latent, whole);
  CHECK(joined.operations / joined.memory_bytes == Approx(128 * 2.0 * (576 + 512) / (2 * 576)));
}

TEST_CASE("times of experts add up to that of their layer, as far as waves allow") {
  ServingInputs inputs;
  for (int round = 0; round < law_rounds; ++round) {
    const Card card = inputs.card();
    const ExpertsShape layer{.tokens = inputs.number(64, 8192),
                             .experts = 16,
                             .per_token = 2,
                             .hidden = inputs.number(512, 8192),
                             .width = inputs.number(512, 16384)};
    const ExpertGroup group{16, layer.tokens * 2 / 16};
    const double sum = card.kernels.experts_latency + 16 * expert(card, layer, group.tokens).seconds;
    // Whole waves only add to the layer; thread blocks of the two never differ otherwise.
    REQUIRE(sum <= experts(card, layer, std::span(&group, 1)).seconds * law_slack);
  }
}

TEST_CASE("fp8 halves what a dense layer loads, and is refused by no shape") {
  ServingInputs inputs;
  Card card = inputs.card();
  card.narrow_speedup = 2;
  // Values stay in the cache, weights do not.
  card.cache_capacity = 50e6;
  card.kernels.cache_share = 0.7;
  const DenseShape wide{.tokens = 8, .inner = 8192, .columns = 8192};
  DenseShape narrow = wide;
  narrow.weight_bytes = narrow.factor_bytes = 1;
  CHECK(dense(card, narrow).memory_bytes == dense(card, wide).memory_bytes / 2);
  CHECK(dense(card, narrow).operations == dense(card, wide).operations);
}

TEST_CASE("loads of experts add up to the choices of all tokens") {
  const auto total = [](const std::vector<ExpertGroup>& groups) {
    double rows = 0;
    for (const ExpertGroup& group : groups) rows += group.count * group.tokens;
    return rows;
  };
  for (const double skew : {0.0, 0.7, 1.0, 1.2}) {
    for (const double tokens : {16.0, 300.0, 8192.0}) {
      const ExpertRouting all{.tokens = tokens, .experts = 128, .per_token = 8, .skew = skew};
      CAPTURE(skew, tokens);
      CHECK(total(expert_loads(all)) == Approx(8 * tokens).epsilon(0.002));
      // The most loaded of four GPUs has at least its share.
      ExpertRouting shared = all;
      shared.ranks = 4;
      CHECK(total(expert_loads(shared)) >= 8 * tokens / 4 * (1 - 1e-9));
    }
  }
}

TEST_CASE("collectives take no less time with more bytes or GPUs") {
  const links::Collectives constants{.custom_latency = 5e-6,
                                     .custom_rank_latency = 1e-7,
                                     .one_step_rate = 175e9,
                                     .two_step_latency = 8e-6,
                                     .two_step_rate = 236e9,
                                     .custom_limit = 8 << 20,
                                     .nccl_latency = 12e-6,
                                     .nccl_step = 8e-7,
                                     .nccl_rate = 150e9,
                                     .send_rate = 300e9};
  for (const links::Collective operation :
       {links::Collective::all_reduce, links::Collective::all_gather, links::Collective::reduce_scatter,
        links::Collective::all_to_all, links::Collective::send}) {
    for (const links::CollectiveLibrary library :
         {links::CollectiveLibrary::automatic, links::CollectiveLibrary::nccl}) {
      double before = 0;
      for (int i = 0; i < 29; ++i) {
        const double bytes = 256 * std::pow(1.7, i);
        const double time = collective_time(constants, operation, library, 2, bytes);
        CHECK(time >= before);
        CHECK(collective_time(constants, operation, library, 8, bytes) >= time);
        before = time;
      }
    }
  }
  // A path through the host that all share takes longer than links of their own.
  links::Collectives shared = constants;
  shared.shared_rate = 16e9;
  CHECK(collective_time(shared, links::Collective::all_reduce, links::CollectiveLibrary::automatic, 8, 1e6) >
        5 * collective_time(constants, links::Collective::all_reduce, links::CollectiveLibrary::automatic, 8, 1e6));
}
