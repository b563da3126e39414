#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "base/error.h"
#include "workload/decoder/step.h"

namespace pimsweep::workload::decoder {

namespace {

constexpr Experts eight_experts{.count = 8, .hidden = 1024, .per_token = 2};

double total(std::span<const double> numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

Decoder model_of(const Experts& experts) {
  return {.vocabulary = 1000,
          .hidden = 512,
          .blocks = 2,
          .heads = 8,
          .kv_heads = 8,
          .head_size = 64,
          .gated = true,
          .positions = 2048,
          .experts = experts};
}

}  // namespace

TEST_CASE("a token chooses as many different experts as the model says, whatever the shares") {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto count = std::uniform_int_distribution<std::int64_t>(1, 40)(random);
    const Experts experts{.count = count, .per_token = std::uniform_int_distribution<std::int64_t>(1, count)(random)};
    std::vector<double> shares;
    for (std::int64_t expert = 0; expert < count; ++expert) {
      const double u = std::uniform_real_distribution<double>(0, 1)(random);
      shares.push_back(u < 0.2 ? 0 : std::pow(u, 8));
    }
    shares[0] = std::max(shares[0], 1e-9);
    const std::vector<double> probabilities = choice_probabilities(experts, shares);
    CAPTURE(i, count, experts.per_token);
    CHECK(total(probabilities) == Approx(static_cast<double>(experts.per_token)).epsilon(1e-12));
    for (std::size_t expert = 0; expert < probabilities.size(); ++expert) {
      CHECK(probabilities[expert] >= 0);
      CHECK(probabilities[expert] <= 1);
      // A larger share is never chosen less often.
      for (std::size_t other = 0; other < expert; ++other) {
        if (shares[expert] >= shares[other]) CHECK(probabilities[expert] >= probabilities[other] * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("Zipf's law without an exponent is uniform, and with a large one every token takes the first experts") {
  const std::vector<double> uniform = choice_probabilities(eight_experts, zipf_shares(8, 0));
  for (const double probability : uniform) CHECK(probability == Approx(0.25));
  const std::vector<double> steep = choice_probabilities(eight_experts, zipf_shares(8, 50));
  CHECK(steep[0] == 1);
  CHECK(steep[1] == Approx(1));
  CHECK(steep[2] < 1e-6);
  CHECK(zipf_shares(3, 1)[2] == Approx(1.0 / 3));
}

TEST_CASE("expected tokens of experts add up, and skew leaves fewer experts with any") {
  double before = 9;
  for (const double exponent : {0.0, 0.5, 1.0, 2.0}) {
    const std::vector<double> routing = choice_probabilities(eight_experts, zipf_shares(8, exponent));
    std::vector<ExpertLoad> loads;
    expert_loads(routing, 6, loads);
    double tokens = 0;
    double active = 0;
    for (const ExpertLoad& load : loads) {
      tokens += load.active * load.tokens;
      active += load.active;
      CHECK(load.tokens <= 6 * (1 + 1e-12));
    }
    CHECK(tokens == Approx(12));
    CHECK(active < before);
    before = active;
  }
}

TEST_CASE("an operator of experts has the active experts and the operations of its routing") {
  const Decoder model = model_of(eight_experts);
  const Sequences sequences[] = {{.count = 6, .context = 10}};
  const auto experts_of = [&](std::span<const double> routing) {
    Step step;
    make_step(model, sequences, {}, 1, step, {.routing = routing});
    const auto found = std::find_if(step.operators.begin(), step.operators.end(),
                                    [](const Operator& op) { return op.kind == Kind::experts; });
    REQUIRE(found != step.operators.end());
    CHECK(step.experts.size() == 8);
    CHECK(found->products == step.active_experts);
    return *found;
  };
  const Operator uniform = experts_of({});
  const Operator same = experts_of(choice_probabilities(eight_experts, zipf_shares(8, 0)));
  const Operator skewed = experts_of(choice_probabilities(eight_experts, zipf_shares(8, 1.5)));
  CHECK(same.products == Approx(uniform.products).epsilon(1e-12));
  CHECK(same.weight_bytes == Approx(uniform.weight_bytes).epsilon(1e-12));
  CHECK(skewed.products < uniform.products);
  CHECK(skewed.weight_bytes < uniform.weight_bytes);
  CHECK(skewed.operations == uniform.operations);
}

TEST_CASE("experts spread over GPUs: the busiest GPU counts, and balance gives the mean") {
  const Decoder model = model_of(eight_experts);
  const auto step_of = [&](std::span<const double> routing, std::int64_t gpus, std::int64_t groups, double tokens) {
    const Sequences sequences[] = {{.count = tokens, .context = 10}};
    Step step;
    make_step(model, sequences, {}, gpus, step, {.routing = routing, .expert_parallel = groups});
    return step;
  };
  const auto operations = [](const Step& step) {
    return std::ranges::find(step.operators, Kind::experts, &Operator::kind)->operations;
  };
  const std::vector<double> routing = choice_probabilities(eight_experts, zipf_shares(8, 1.5));
  for (const std::span<const double> choice : {std::span<const double>(), std::span<const double>(routing)}) {
    const double all = operations(step_of(choice, 1, 1, 6));
    for (const std::int64_t groups : {2, 4, 8}) {
      CAPTURE(groups, choice.size());
      const Step step = step_of(choice, 8, groups, 6);
      CHECK(step.experts.size() == static_cast<std::size_t>(8 / groups));
      CHECK(step.expert_balance < 1);
      CHECK(operations(step) * step.expert_balance * 8 == Approx(all));
      const auto& experts = *std::ranges::find(step.operators, Kind::experts, &Operator::kind);
      CHECK(experts.columns == 1024.0 * static_cast<double>(groups) / 8);
      CHECK(experts.products == step.active_experts);
    }
  }
  // One of two GPUs has the first four experts, which most tokens choose.
  const Step whole = step_of(routing, 1, 1, 6);
  const Step half = step_of(routing, 2, 2, 6);
  for (std::size_t i = 0; i < 4; ++i) CHECK(half.experts[i].active == whole.experts[i].active);
  // Many tokens use all experts, and GPUs are equally busy.
  CHECK(step_of({}, 8, 8, 1e4).expert_balance == Approx(1));
  // A token with two of eight experts: the busiest of eight GPUs has one of them.
  const Step one = step_of({}, 8, 8, 1);
  CHECK(one.active_experts > 0.85);
  CHECK(one.active_experts <= 1);
}

TEST_CASE("layers are padded, attention and the head are not") {
  const Decoder model = model_of({});
  const Sequences sequences[] = {{.count = 5, .context = 100}};
  Step plain;
  Step padded;
  make_step(model, sequences, {}, 1, plain);
  make_step(model, sequences, {}, 1, padded, {.min_tokens = 8});
  REQUIRE(plain.operators.size() == padded.operators.size());
  for (std::size_t i = 0; i < plain.operators.size(); ++i) {
    const Operator& op = plain.operators[i];
    CAPTURE(op.name);
    const bool is_padded = op.kind != Kind::attention && op.kind != Kind::head && op.kind != Kind::sampling;
    CHECK(padded.operators[i].rows == op.rows * (is_padded ? 1.6 : 1));
  }
}

TEST_CASE("routing that is none of the model is refused") {
  CHECK_THROWS_WITH(choice_probabilities(eight_experts, zipf_shares(7, 1)),
                    Catch::Contains("7 experts, but the model has 8"));
  CHECK_THROWS_WITH(choice_probabilities(eight_experts, std::vector<double>(8, 0)), Catch::Contains("above zero"));
  std::vector<double> shares(8, 1);
  shares[3] = -1;
  CHECK_THROWS_WITH(choice_probabilities(eight_experts, shares), Catch::Contains("negative"));
  shares[3] = std::nan("");
  CHECK_THROWS_WITH(choice_probabilities(eight_experts, shares), Catch::Contains("no number"));
}

}  // namespace pimsweep::workload::decoder
