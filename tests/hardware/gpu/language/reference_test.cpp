#include "hardware/reference.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "hardware/gpu/language/cards.h"

using namespace pimsweep::hardware::gpu::language;
using pimsweep::test::Reference;

namespace {

const std::string folder = "results/reference/gpu-llm/";

struct MeasuredModel {
  double hidden;
  double heads;
  double kv_heads;
  double head_size;
  double width;
  double vocabulary;
  double experts_per_token;
};

MeasuredModel model_of(const std::string& name) {
  if (name == "Llama-3.1-8B") return {4096, 32, 8, 128, 14336, 128256, 1};
  return {2048, 32, 4, 128, 768, 151936, 8};
}

/// The measurement ran a single block: the weights of its attention and of `active` feed-forward layers on one card.
double working_set(const MeasuredModel& m, double cards, double active) {
  const double attention = m.hidden * m.head_size * (2 * m.heads + 2 * m.kv_heads);
  return 2 * (attention + 3 * m.hidden * m.width * active) / cards;
}

double dense_seconds(const Card& card, const MeasuredModel& m, double cards, const std::string& layer, double tokens) {
  const double query = m.heads * m.head_size / cards;
  const double key = m.kv_heads * m.head_size / cards;
  const double width = m.width / cards;
  const std::map<std::string, std::array<double, 2>> products = {{"qkv_proj", {m.hidden, query + 2 * key}},
                                                                 {"o_proj", {query, m.hidden}},
                                                                 {"gate_up_proj", {m.hidden, 2 * width}},
                                                                 {"down_proj", {width, m.hidden}}};
  if (const auto found = products.find(layer); found != products.end()) {
    return dense(card, {.tokens = tokens,
                        .inner = found->second[0],
                        .columns = found->second[1],
                        .working_set = working_set(m, cards, m.experts_per_token)})
        .seconds;
  }
  if (layer == "act_fn") return activation(card, tokens, width, true).seconds;
  if (layer == "embedding") return embedding(card, tokens, m.hidden).seconds;
  if (layer == "rotary_emb") return rotary(card, tokens, query + key).seconds;
  const double after = normalization(card, tokens, m.hidden, true).seconds;
  if (layer == "final_layernorm") return after;
  // Means over two kernels: before and after attention; of queries and of keys.
  if (layer == "layernorm") return (normalization(card, tokens, m.hidden, false).seconds + after) / 2;
  REQUIRE(layer == "qk_norm");
  return (normalization(card, tokens * m.heads, m.head_size, false).seconds +
          normalization(card, tokens * m.kv_heads, m.head_size, false).seconds) /
         2;
}

double row_seconds(const Reference& rows, const std::string& kind, std::size_t i) {
  const Card card = measured_card(rows.text(i, "card"));
  const MeasuredModel m = model_of(rows.text(i, "model"));
  const double cards = rows.real(i, "tensor_parallel");
  if (kind == "dense") return dense_seconds(card, m, cards, rows.text(i, "layer"), rows.real(i, "tokens"));
  if (kind == "experts") {
    return experts(card, {.tokens = rows.real(i, "tokens"),
                          .active = rows.real(i, "active"),
                          .per_token = m.experts_per_token,
                          .hidden = m.hidden,
                          .width = m.width,
                          .working_set = working_set(m, cards, rows.real(i, "active"))})
        .seconds;
  }
  if (kind == "per_sequence") {
    if (rows.text(i, "layer") == "sampler") return sampler(card, rows.real(i, "sequences"), m.vocabulary).seconds;
    return head(card, rows.real(i, "sequences"), m.hidden, m.vocabulary / cards).seconds;
  }
  const double kv_heads = m.kv_heads / cards;
  const AttentionShape shape = {.heads = m.heads / cards,
                                .kv_heads = kv_heads,
                                .key_size = m.head_size,
                                .value_size = m.head_size,
                                .cache_bytes = 4 * kv_heads * m.head_size};
  if (kind == "prefill") {
    const PrefillChunk prefill = {.chunk = rows.real(i, "chunk"), .earlier = rows.real(i, "earlier")};
    return prefill_attention(card, shape, prefill).seconds;
  }
  const std::array<SequenceGroup, 1> groups = {{{rows.real(i, "sequences"), rows.real(i, "context")}}};
  return decode_attention(card, shape, groups).seconds;
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

double rank_correlation(const std::vector<double>& one, const std::vector<double>& other) {
  const std::vector<double> a = ranks_of(one);
  const std::vector<double> b = ranks_of(other);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  const double n = static_cast<double>(a.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

/// Median of |model / measured - 1| and rank correlation over the rows that no constant was fitted to.
struct ClassAccuracy {
  double median_error = 0;
  double ranks = 0;
  std::size_t rows = 0;
};

template <typename IsOfClass>
ClassAccuracy accuracy(const std::string& kind, IsOfClass is_of_class) {
  const Reference rows(folder + kind + ".csv");
  std::vector<double> modeled;
  std::vector<double> measured;
  std::vector<double> errors;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.integer(i, "fitted") == 1 || !is_of_class(rows, i)) continue;
    modeled.push_back(row_seconds(rows, kind, i));
    measured.push_back(rows.real(i, "time_us") * 1e-6);
    errors.push_back(std::abs(modeled.back() / measured.back() - 1));
  }
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() / 2], rank_correlation(modeled, measured), errors.size()};
}

bool any_row(const Reference&, std::size_t) { return true; }

void check(const ClassAccuracy& reached, double max_error) {
  CAPTURE(reached.rows, reached.median_error, reached.ranks);
  CHECK(reached.median_error <= max_error);
  CHECK(reached.ranks >= 0.98);
}

}  // namespace

TEST_CASE("kernels of language models follow measured rows that nothing was fitted to") {
  SECTION("all dense layers, with element-wise kernels") { check(accuracy("dense", any_row), 0.10); }
  SECTION("products only") {
    check(accuracy("dense", [](const Reference& rows,
                               std::size_t i) { return rows.text(i, "layer").find("proj") != std::string::npos; }),
          0.10);
  }
  SECTION("head") {
    check(accuracy("per_sequence",
                   [](const Reference& rows, std::size_t i) { return rows.text(i, "layer") == "lm_head"; }),
          0.10);
  }
  SECTION("decode attention") { check(accuracy("decode", any_row), 0.12); }
  SECTION("prefill attention") { check(accuracy("prefill", any_row), 0.15); }
  SECTION("experts") { check(accuracy("experts", any_row), 0.15); }
}

TEST_CASE("each card by itself keeps the limits of error") {
  for (const char* name : {"RTX 4090", "RTX PRO 6000"}) {
    const auto of_card = [&](const Reference& rows, std::size_t i) { return rows.text(i, "card") == name; };
    CAPTURE(name);
    CHECK(accuracy("dense", of_card).median_error <= 0.10);
    CHECK(accuracy("decode", of_card).median_error <= 0.12);
    CHECK(accuracy("prefill", of_card).median_error <= 0.15);
  }
}

TEST_CASE("kernels of language models have the times of the program that fitted their constants") {
  const Reference prototype(folder + "prototype.csv");
  std::size_t at = 0;
  for (const char* kind : {"dense", "decode", "prefill", "experts", "per_sequence"}) {
    const Reference rows(folder + kind + ".csv");
    for (std::size_t i = 0; i < rows.size(); ++i, ++at) {
      CAPTURE(kind, i);
      REQUIRE(prototype.text(at, "kind") == kind);
      REQUIRE(row_seconds(rows, kind, i) == Approx(prototype.real(at, "seconds")).epsilon(1e-12));
    }
  }
  CHECK(at == prototype.size());
}
