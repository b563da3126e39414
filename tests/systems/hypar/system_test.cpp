#include <catch2/catch.hpp>
#include <cmath>
#include <variant>

#include "base/error.h"
#include "systems/hypar/hypar.h"
#include "systems/hypar/policy.h"
#include "systems/system_points.h"

namespace pimsweep::systems::hypar {
namespace {

using Overrides = SystemPoints::Overrides;

SystemPoints& points() {
  static SystemPoints all(make_hypar("configs"), "hypar-hmc-array");
  return all;
}

Overrides with(Overrides base, const Overrides& more) {
  for (const auto& [name, value] : more) base[name] = value;
  return base;
}

double metric(const Overrides& overrides, const std::string& name) {
  return points().metric(points().record(overrides), name);
}

Overrides train(const std::string& model, const std::string& policy) { return {{"model", model}, {"policy", policy}}; }

}  // namespace

TEST_CASE("every policy runs on every network, obeys the bound and conserves energy") {
  for (const std::string model : {"sfc", "alexnet-hypar", "vgg-c", "resnet-50", "inception-v3", "swin-t", "pvt-t"}) {
    for (const Policy& policy : policies()) {
      Overrides point = train(model, std::string(policy.name));
      // Trying everything needs few layers.
      if (policy.name == "exhaustive") point["free"] = std::string("H1");
      if (policy.name == "exhaustive" && model != "sfc" && model != "alexnet-hypar" && model != "vgg-c") continue;
      const Record record = points().record(point);
      CAPTURE(model, policy.name);
      REQUIRE(record.status == Status::ok);
      REQUIRE(points().metric(record, "time") >= points().metric(record, "time_lower_bound") * (1 - 1e-12));
      double parts = 0;
      for (const std::string part : {"arithmetic", "sram", "dram", "exchange", "link"}) {
        REQUIRE(points().metric(record, part + "_energy") >= 0);
        parts += points().metric(record, part + "_energy");
      }
      REQUIRE(points().metric(record, "energy") == Approx(parts).epsilon(1e-12));
      double by_layer = 0;
      for (const std::string column : {"intra_communication", "inter_communication"}) {
        for (const Value& value : points().column(record, "by_layer", column)) by_layer += to_real(value);
      }
      REQUIRE(points().metric(record, "communication") == Approx(by_layer).epsilon(1e-12));
      const Explanation explanation = points().explanation(point);
      REQUIRE(explanation.sections.size() > 3);
    }
  }
}

TEST_CASE("on routers a step takes as long as its links say on an H-tree, and no less on a torus") {
  for (const std::string topology : {"h-tree", "torus"}) {
    for (const std::string policy : {"data", "hypar"}) {
      Overrides point = train("lenet-c", policy);
      point["topology"] = topology;
      point["levels"] = std::int64_t{3};
      point["fidelity"] = std::string("event");
      const double event = metric(point, "time");
      point["fidelity"] = std::string("cycle");
      const double cycle = metric(point, "time");
      CAPTURE(topology, policy);
      if (topology == "h-tree") CHECK(cycle == Approx(event).epsilon(0.05));
      CHECK(cycle > 0.95 * event);
    }
  }
  Overrides odd = train("lenet-c", "data");
  odd["topology"] = std::string("torus");
  odd["fidelity"] = std::string("cycle");
  odd["hardware.network.virtual_channels"] = std::int64_t{3};
  CHECK_THROWS_WITH(points().record(odd), Catch::Contains("must be even"));
}

TEST_CASE("the optimum is best for its objective, up to 256 accelerators") {
  for (const std::string topology : {"h-tree", "torus"}) {
    for (const std::int64_t levels : {2, 4, 8}) {
      for (const std::string objective : {"bytes", "time"}) {
        const std::string measure = objective == "bytes" ? "communication" : "time";
        const Overrides machine{{"topology", topology},
                                {"levels", levels},
                                {"objective", objective},
                                {"compute_model", std::string("row-stationary")}};
        const double optimum = metric(with(train("vgg-a", "hypar-optimal"), machine), measure);
        for (const std::string policy : {"data", "model", "trick", "hypar"}) {
          CAPTURE(topology, levels, objective, policy);
          CHECK(optimum <= metric(with(train("vgg-a", policy), machine), measure) * (1 + 1e-12));
        }
      }
    }
  }
}

TEST_CASE("more of anything is never slower") {
  const Overrides base = with(train("alexnet", "hypar"), {{"compute_model", std::string("row-stationary")}});
  const double before = metric(base, "time");
  CHECK(metric(with(base, {{"hardware.network.bandwidth", 1e10}}), "time") < before);
  CHECK(metric(with(base, {{"hardware.clock", 500e6}}), "time") < before);
  CHECK(metric(with(base, {{"hardware.dram.bandwidth", 1e12}}), "time") <= before);
  CHECK(metric(with(base, {{"hardware.accelerator.units", std::int64_t{32}}}), "time") <= before);
  CHECK(metric(with(base, {{"batch", std::int64_t{512}}}), "time") > before);
}

TEST_CASE("a point gives the same record twice, whatever came between") {
  const Overrides point = with(train("resnet-50", "hypar-optimal"), {{"fidelity", std::string("event")}});
  const Record first = points().record(point);
  points().record(train("vgg-e", "trick"));
  const Record second = points().record(point);
  CHECK(first.tables == second.tables);
  for (std::size_t i = 0; i < first.metrics.size(); ++i) {
    const auto* number = std::get_if<double>(&first.metrics[i]);
    const bool missing = number != nullptr && std::isnan(*number);
    CHECK((missing || first.metrics[i] == second.metrics[i]));
  }
}

TEST_CASE("points without a meaning say why") {
  CHECK_THROWS_AS(points().record(train("vgg-e", "exhaustive")), PointError);
  CHECK_THROWS_AS(points().record(with(train("lenet-c", "hypar"), {{"overrides", std::string("fc9=0000")}})),
                  PointError);
  CHECK_THROWS_AS(points().record(with(train("vgg-a", "hypar"), {{"image_px", std::int64_t{7}}})), PointError);
  CHECK_THROWS_AS(points().record(with(train("vgg-a", "hypar"), {{"hardware.sram.buffer", 64.0}})), PointError);
}

TEST_CASE("a model takes the size of its own kind of input") {
  const Overrides base = train("bert-base", "hypar");
  CHECK(metric(with(base, {{"tokens", std::int64_t{128}}}), "time") >
        metric(with(base, {{"tokens", std::int64_t{64}}}), "time"));
  CHECK_THROWS_WITH(points().record(with(base, {{"image_px", std::int64_t{64}}})), Catch::Contains("tokens"));
  CHECK_THROWS_WITH(points().record(with(train("vgg-a", "hypar"), {{"tokens", std::int64_t{64}}})),
                    Catch::Contains("image_px"));
}

TEST_CASE("one accelerator exchanges nothing") {
  const Record record = points().record(
      with(train("vgg-a", "hypar-optimal"), {{"levels", std::int64_t{0}}, {"batch", std::int64_t{1024}}}));
  CHECK(points().metric(record, "communication") == 0);
  CHECK(points().metric(record, "time") == points().metric(record, "compute_time"));
  CHECK(points().text(record, "caveat").find("DRAM") != std::string::npos);
}

}  // namespace pimsweep::systems::hypar
