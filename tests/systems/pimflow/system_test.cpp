#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/parts/parts.h"
#include "systems/pimflow/pimflow.h"
#include "systems/pimflow/policy.h"
#include "systems/system_points.h"

namespace pimsweep::systems::pimflow {
namespace {

using Overrides = SystemPoints::Overrides;

SystemPoints& points() {
  static SystemPoints all(make_pimflow("configs"), "pimflow-rtx-2060");
  return all;
}

Overrides run(const std::string& model, const std::string& policy, Overrides more = {}) {
  more["model"] = model;
  more["policy"] = policy;
  return more;
}

double metric(const Overrides& overrides, const std::string& name) {
  const Record record = points().record(overrides);
  REQUIRE(record.status == Status::ok);
  return points().metric(record, name);
}

double sum(const Record& record, const std::string& column) {
  double total = 0;
  for (const Value& value : points().column(record, "by_layer", column)) total += to_real(value);
  return total;
}

}  // namespace

TEST_CASE("a GPU with all memory channels takes the time that system gpu says of the same network") {
  SystemPoints pim(make_pimflow("configs"), "pimflow-rtx-2080-ti");
  SystemPoints card(parts::make_gpu("configs"), "gpu-rtx-2080-ti");
  for (const std::string model : {"resnet-50", "bert-base"}) {
    for (const std::int64_t batch : {1, 8}) {
      Overrides point{{"model", model}, {"batch", batch}, {"elementwise", "counted"}};
      point["launches"] = "exposed";
      const double there = card.metric(card.record(point), "time");
      point.erase("launches");
      point.merge(Overrides{{"policy", "gpu"}, {"memory_channels", std::int64_t{22}}});
      CHECK(pim.metric(pim.record(point), "time") == Approx(there));
    }
  }
}

TEST_CASE("every policy runs on every kind of network and its parts add up") {
  for (const std::string model : {"mobilenet-v2", "resnet-50", "inception-v3", "bert-base", "swin-t", "lstm-small",
                                  "dcgan-generator", "alexnet"}) {
    for (const Policy& policy : policies()) {
      Overrides point = run(model, std::string(policy.name));
      if (model == "bert-base" || model == "lstm-small") point["tokens"] = std::int64_t{8};
      const Record record = points().record(point);
      CAPTURE(model, policy.name);
      REQUIRE(record.status == Status::ok);
      const auto value = [&](const std::string& name) { return points().metric(record, name); };
      REQUIRE(value("time") > 0);
      REQUIRE(value("time") == Approx(sum(record, "time")).epsilon(1e-9));
      REQUIRE(
          value("time") ==
          Approx(value("all_convolution_time") + value("fully_connected_time") + value("other_time")).epsilon(1e-9));
      REQUIRE(value("energy") ==
              Approx(value("gpu_static_energy") + value("gpu_dynamic_energy") + value("pim_energy")).epsilon(1e-9));
      REQUIRE(value("macs") == Approx(sum(record, "macs")).epsilon(1e-12));
      // Neither device is busy for longer than the inference takes, nor do they leave any of it empty.
      REQUIRE(value("gpu_busy") <= value("time") * (1 + 1e-9));
      REQUIRE(value("pim_busy") <= value("time") * (1 + 1e-9));
      REQUIRE(value("gpu_busy") + value("pim_busy") >= value("time") * (1 - 1e-9));
      REQUIRE(value("candidates_on_gpu") + value("candidates_on_pim") + value("candidates_split") +
                  value("candidates_pipelined") ==
              Approx(1).epsilon(1e-9));
      if (policy.name == "gpu") REQUIRE(value("speedup") == Approx(1).epsilon(1e-12));
      REQUIRE(points().explanation(point).sections.size() >= 3);
    }
  }
}

TEST_CASE("no policy is slower than one that it contains") {
  const std::vector<std::pair<std::string, std::string>> contains{{"pimflow-md", "newton++"},
                                                                  {"pimflow-pl", "newton++"},
                                                                  {"pimflow", "pimflow-md"},
                                                                  {"pimflow", "pimflow-pl"},
                                                                  {"pimflow-optimal", "pimflow"}};
  const std::vector<Overrides> settings{
      {},
      {{"controller", std::string("paper")}},
      {{"memory_optimizer", false}},
      {{"contention", std::string("unicast")}},
      {{"elementwise", std::string("counted")}, {"stages", std::int64_t{4}}},
      {{"memory_channels", std::int64_t{8}}, {"split_interval", std::int64_t{3}}},
      {{"hardware.gpu.fitted.launch", 5e-6}, {"hardware.synchronization", 2e-6}},
      {{"batch", std::int64_t{3}}, {"pointwise", std::string("gemm")}},
  };
  for (const std::string model : {"mnasnet-1.0", "resnet-18"}) {
    for (std::size_t i = 0; i < settings.size(); ++i) {
      for (const auto& [larger, smaller] : contains) {
        CAPTURE(model, i, larger, smaller);
        CHECK(metric(run(model, larger, settings[i]), "time") <=
              metric(run(model, smaller, settings[i]), "time") * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("copies, contention, launches and meetings never make a plan faster") {
  const std::vector<Overrides> worse{{{"memory_optimizer", false}},
                                     {{"contention", std::string("broadcast")}},
                                     {{"contention", std::string("unicast")}},
                                     {{"hardware.gpu.fitted.launch", 1e-6}},
                                     {{"hardware.synchronization", 1e-6}},
                                     {{"elementwise", std::string("counted")}},
                                     {{"offload", std::string("convolutions")}},
                                     {{"offload", std::string("fully-connected")}},
                                     {{"hardware.pim.clock", 700e6}},
                                     {{"hardware.gpu.memory.bandwidth", 300e9}}};
  for (const std::string policy : {"newton++", "pimflow-md", "pimflow", "pimflow-optimal"}) {
    const double before = metric(run("mobilenet-v2", policy), "time");
    for (std::size_t i = 0; i < worse.size(); ++i) {
      CAPTURE(policy, i);
      CHECK(metric(run("mobilenet-v2", policy, worse[i]), "time") >= before * (1 - 1e-12));
    }
  }
}

TEST_CASE("a whole layer on PIM takes what Newton alone says") {
  // The first 1x1 convolution of MobileNetV2's second block, a row of the artifact's own results.
  const Record record = points().record(run("mobilenet-v2", "newton++"));
  const std::vector<Value> layers = points().column(record, "by_layer", "layer");
  const std::vector<Value> times = points().column(record, "by_layer", "pim_time");
  bool found = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (std::get<std::string>(layers[i]) != "stage2.block1.expand") continue;
    found = true;
    // 112 x 112, 16 to 96 channels: 27150 clocks (docs/newton.md; results/reference/newton/newton_cycles.csv).
    CHECK(to_real(times[i]) * 875e6 == Approx(27150).epsilon(1e-12));
  }
  CHECK(found);
}

TEST_CASE("the table of splits has the plan's choice once for each candidate") {
  const Record record = points().record(run("resnet-18", "pimflow-md"));
  double chosen = 0;
  for (const Value& value : points().column(record, "splits", "chosen")) chosen += to_real(value);
  CHECK(chosen == points().metric(record, "candidates"));
  CHECK(points().column(record, "splits", "chosen").size() == 11 * static_cast<std::size_t>(chosen));
}

TEST_CASE("points that cannot be say why") {
  CHECK_THROWS_AS(points().record(run("vgg-a", "pimflow", {{"memory_channels", std::int64_t{32}}})), PointError);
  CHECK_THROWS_WITH(points().record(run("bert-base", "gpu", {{"image_px", std::int64_t{64}}})),
                    Catch::Contains("tokens"));
  CHECK_THROWS_WITH(points().record(run("vgg-a", "gpu", {{"tokens", std::int64_t{64}}})), Catch::Contains("image_px"));
  const Record record = points().record(
      run("vgg-a", "gpu", {{"precision", std::string("fp16-in/tensor-mixed")}, {"hardware.gpu.sm.tensor_rate", 0.0}}));
  CHECK(record.status == Status::infeasible);
}

}  // namespace pimsweep::systems::pimflow
