#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "systems/allspark/evaluation.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/policy.h"
#include "systems/allspark/random_models.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep;

namespace {

const Policy& policy_named(std::string_view name) { return *std::ranges::find(policies(), name, &Policy::name); }

struct Outcome {
  Decision decision;
  Evaluation evaluation;
};

Outcome run(ModelCosts& costs, std::string_view policy) {
  Outcome outcome;
  outcome.decision = policy_named(policy).choose(costs, {});
  if (!outcome.decision.stages.empty()) outcome.evaluation = evaluate(costs, outcome.decision.stages, true);
  return outcome;
}

ModelCosts costs_of(const workload::VisionTransformer& model, const Machine& machine,
                    const Conditions& conditions = {}) {
  return ModelCosts(model, machine, conditions, std::make_shared<GemmCache>());
}

const std::vector<std::string_view> fixed_policies{"branch", "patch", "head"};

}  // namespace

TEST_CASE("every feasible schedule obeys the machine") {
  std::mt19937_64 random(41);
  int feasible = 0;
  for (int round = 0; round < 150; ++round) {
    const workload::VisionTransformer model = random_model(random);
    const Machine machine = random_machine(random);
    ModelCosts costs = costs_of(model, machine);
    for (const std::string_view policy : {"branch", "patch", "head", "allspark"}) {
      const Outcome outcome = run(costs, policy);
      if (!outcome.decision.infeasible.empty()) continue;
      ++feasible;
      const Evaluation& evaluation = outcome.evaluation;
      INFO("round " << round << ", " << policy);
      REQUIRE(evaluation.memory.total() <= machine.node_bytes());
      REQUIRE(evaluation.time.total() >= costs.ideal_cycles());
      REQUIRE(evaluation.node_utilization > 0);
      REQUIRE(evaluation.node_utilization <= 1);
      std::int64_t cycles = 0;
      for (std::size_t s = 0; s < evaluation.stages.size(); ++s) {
        std::int64_t branches = 0;
        for (const LayerResult& layer : evaluation.stages[s].layers) {
          REQUIRE(layer.branches > 0);
          REQUIRE(layer.branches <= layer.capacity);
          REQUIRE(layer.nodes_occupied() <= machine.nodes());
          branches += layer.branches;
          cycles += layer.time.total();
        }
        REQUIRE(branches == branch_count(model.stages[s]));
        REQUIRE(evaluation.stages[s].node_utilization <= 1);
        // All nodes together hold at least one copy of the stage's weights.
        REQUIRE(static_cast<double>(evaluation.memory.stage_weights[s]) * static_cast<double>(machine.nodes()) >=
                static_cast<double>(weight_words(model.stages[s])) * machine.word_bytes);
      }
      REQUIRE(cycles == evaluation.time.total());
    }
  }
  CHECK(feasible > 200);
}

TEST_CASE("Allspark is never slower than a fixed policy that fits without spreading weights") {
  std::mt19937_64 random(43);
  int compared = 0;
  for (int round = 0; round < 150; ++round) {
    const Machine machine = random_machine(random);
    ModelCosts costs = costs_of(random_model(random), machine);
    const Outcome best = run(costs, "allspark");
    for (const std::string_view policy : fixed_policies) {
      const Outcome fixed = run(costs, policy);
      if (!fixed.decision.infeasible.empty() || !fixed.decision.caveat.empty()) continue;
      ++compared;
      INFO("round " << round << ", " << policy);
      REQUIRE(best.decision.infeasible.empty());
      REQUIRE(best.evaluation.time.total() <= fixed.evaluation.time.total());
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("fixed policies spread weights over no more sub-arrays than needed") {
  std::mt19937_64 random(71);
  int spread = 0;
  for (int round = 0; round < 300; ++round) {
    ModelCosts costs = costs_of(random_model(random), random_machine(random));
    for (const std::string_view policy : fixed_policies) {
      Outcome fixed = run(costs, policy);
      if (!fixed.decision.infeasible.empty() || fixed.decision.caveat.empty()) continue;
      ++spread;
      CHECK(fixed.evaluation.memory.total() <= costs.machine().node_bytes());
      std::int64_t group = 0;
      for (const std::vector<Layers>& stage : fixed.decision.stages) {
        group = std::max(group, stage.front().partition.sharing_group);
      }
      REQUIRE(group > 1);
      for (std::vector<Layers>& stage : fixed.decision.stages) {
        std::int64_t& mine = stage.front().partition.sharing_group;
        mine = std::min(mine, group - 1);
      }
      CHECK(memory_use(costs, fixed.decision.stages, true).total() > costs.machine().node_bytes());
    }
  }
  CHECK(spread > 20);
}

TEST_CASE("better hardware is never slower") {
  std::mt19937_64 random(47);
  for (int round = 0; round < 80; ++round) {
    const workload::VisionTransformer model = random_model(random);
    const Machine machine = random_machine(random);
    ModelCosts costs = costs_of(model, machine);
    const Outcome before = run(costs, "allspark");
    if (!before.decision.infeasible.empty()) continue;
    const auto cycles_on = [&](const auto& change) {
      Machine better = machine;
      change(better);
      ModelCosts better_costs = costs_of(model, better);
      const Outcome after = run(better_costs, "allspark");
      REQUIRE(after.decision.infeasible.empty());
      return after.evaluation.time.total();
    };
    const std::int64_t cycles = before.evaluation.time.total();
    INFO("round " << round);
    CHECK(cycles_on([](Machine& m) { m.dram.bandwidth *= 1.7; }) <= cycles);
    CHECK(cycles_on([](Machine& m) { m.mesh.link_bandwidth *= 2; }) <= cycles);
    CHECK(cycles_on([](Machine& m) { m.acu.lanes += 3; }) <= cycles);
    CHECK(cycles_on([](Machine& m) { m.dram.capacity *= 2; }) <= cycles);
    CHECK(cycles_on([](Machine& m) {
            ++m.pe_rows;
            m.pe_cols += 2;
            m.buffer_bytes += m.word_bytes * static_cast<double>(m.pe_array().min_buffer_words());
          }) <= cycles);
  }
}

TEST_CASE("time for an image never grows with the batch while the workspace fits") {
  std::mt19937_64 random(53);
  for (int round = 0; round < 60; ++round) {
    const workload::VisionTransformer model = random_model(random);
    Machine machine = random_machine(random);
    machine.dram.capacity = std::int64_t{1} << 30;
    ModelCosts one_costs = costs_of(model, machine, {1, true});
    ModelCosts six_costs = costs_of(model, machine, {6, true});
    for (const std::string_view policy : {"branch", "patch", "head", "allspark"}) {
      const Outcome one = run(one_costs, policy);
      const Outcome six = run(six_costs, policy);
      REQUIRE(one.decision.infeasible.empty());
      REQUIRE(six.decision.infeasible.empty());
      CHECK(six.evaluation.time.total() <= 6 * one.evaluation.time.total());
    }
  }
}

TEST_CASE("kinds of blocks with different numbers of branches are charged to every layer, and the record says so") {
  workload::VisionTransformer model = swin_b_640();
  std::mt19937_64 random(59);
  const Machine machine = random_machine(random);
  CHECK(costs_of(model, machine).caveat().empty());
  model.stages[1].blocks.push_back({2, 7, 49, 49, 49, 1, 0, "global"});
  CHECK(branch_count(model.stages[1]) == 144);
  CHECK(costs_of(model, machine).caveat().find("stage 2") != std::string::npos);
}

TEST_CASE("policies whose program has weight reuse built in refuse to go without it") {
  std::mt19937_64 random(61);
  ModelCosts costs = costs_of(swin_b_640(), random_machine(random));
  PolicyOptions options;
  options.weight_reuse = false;
  for (const std::string_view policy : {"allspark", "allspark-milp", "allspark-ilp"}) {
    CHECK_THROWS_AS(policy_named(policy).choose(costs, options), PointError);
  }
  CHECK_NOTHROW(policy_named("branch").choose(costs, options));
}
