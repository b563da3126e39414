#include <catch2/catch.hpp>
#include <string>

#include "../system_points.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

using Overrides = SystemPoints::Overrides;

Value text(std::string value) { return Value{std::move(value)}; }
Value count(std::int64_t value) { return Value{value}; }

SystemPoints newton(const std::string& hardware = "newton-GDDR6_3500") {
  return {parts::make_newton("configs"), hardware};
}

/// A 1x1 convolution of 28 x 28 x 192 to 32, but for what `changes` say.
Overrides layer(const Overrides& changes = {}) {
  Overrides all{{"H", count(28)}, {"W", count(28)}, {"Cin", count(192)}, {"Cout", count(32)}};
  for (const auto& [axis, value] : changes) all[axis] = value;
  return all;
}

double metric(SystemPoints& points, const Overrides& overrides, const std::string& name) {
  const Record record = points.record(overrides);
  INFO(record.message);
  REQUIRE(record.status == Status::ok);
  return points.metric(record, name);
}

}  // namespace

TEST_CASE("metrics of a layer are those of the artifact, in both fidelities") {
  SystemPoints points = newton();
  Overrides point = layer({{"H", count(112)}, {"W", count(112)}, {"Cin", count(16)}, {"Cout", count(96)}});
  for (const std::string fidelity : {"closed-form", "cycle"}) {
    point["fidelity"] = text(fidelity);
    CHECK(metric(points, point, "pim_cycles") == 27150);
    CHECK(metric(points, point, "time") == Approx(27150 / 875e6).epsilon(1e-12));
    CHECK(metric(points, point, "k_first_segment") == 2);
    CHECK(metric(points, point, "n_REF") == 14);
  }
  // Energy is the published constants times the first channel's commands.
  const double comp = 16 * (16 * 1.5e-12 + 0.175814e-9 + 1.16822e-9 / 32);
  const double expected = 14 * 16 * 0.03183e-9 + 4704 * 0.175814e-9 + 196 * 0.181995e-9 + 4704 * comp;
  CHECK(metric(points, point, "energy_busiest") == Approx(expected).epsilon(1e-12));
  CHECK(metric(points, point, "energy") > 12 * expected);
  CHECK(metric(points, point, "macs") == 112.0 * 112 * 16 * 96);
}

TEST_CASE("a hardware file is the same as its constants on another one's") {
  SystemPoints slow = newton();
  SystemPoints fast = newton("newton-GDDR6_5000");
  // 15, 15, 15, 35, 50, 29, 482, 2613: the grade as the artifact has it. All else is the base's.
  Overrides by_constants = layer({{"hardware.clock", Value{1.25e9}}});
  const std::vector<std::pair<std::string, std::int64_t>> timing{
      {"nCL", 15}, {"nRCD", 15}, {"nRP", 15}, {"nRAS", 35}, {"nRC", 50}, {"nFAW", 29}, {"nRFC", 482}, {"nREFI", 2613}};
  for (const auto& [key, value] : timing) by_constants["hardware.timing." + key] = count(value);
  CHECK(fast.record(layer()).metrics == slow.record(by_constants).metrics);
  CHECK(metric(fast, layer(), "pim_cycles") != metric(slow, layer(), "pim_cycles"));
}

TEST_CASE("what the artifact cannot run is infeasible, with the reason") {
  const auto message = [](SystemPoints points, const Overrides& changes = {}) {
    const Record record = points.record(layer(changes));
    CHECK(record.status == Status::infeasible);
    return record.message;
  };
  CHECK_THAT(message(newton(), {{"channels", count(3)}}), Catch::Contains("more groups than 3 channels"));
  SystemPoints points = newton();
  CHECK(metric(points, layer({{"channels", count(3)}, {"n_gwrite", count(2)}}), "pim_cycles") > 0);
  CHECK_THAT(message(newton("newton-GDDR6_7000")), Catch::Contains("aborts"));
  CHECK_THAT(message(newton("newton-HBM_1Gbps")), Catch::Contains("never serves a refresh"));
  SystemPoints hbm = newton("newton-HBM_1Gbps");
  CHECK(metric(hbm, layer({{"H", count(2)}, {"W", count(2)}}), "pim_cycles") < 3315);
  CHECK(metric(hbm, layer({{"H", count(112)}, {"W", count(112)}, {"controller", text("paper")}}), "n_REF") > 0);
}

TEST_CASE("layers without a PIM part cost nothing, impossible ones are refused") {
  SystemPoints points = newton();
  for (const Overrides& on_gpu :
       {layer({{"split_out_of_10", count(0)}}), layer({{"split_out_of_10", count(5)}, {"H", count(1)}})}) {
    const Record record = points.record(on_gpu);
    REQUIRE(record.status == Status::ok);
    for (const Metric& column : points.schema().metrics) {
      CAPTURE(column.name);
      if (column.type == ValueType::text) {
        CHECK(points.text(record, column.name) == "none");
      } else {
        CHECK(points.metric(record, column.name) == 0);
      }
    }
  }
  CHECK(metric(points, layer({{"H", count(1)}}), "pim_cycles") > 0);
  CHECK_THROWS_WITH(points.record(layer({{"H", count(1)}, {"KH", count(3)}})),
                    "a 3 x 1 kernel does not fit an image of 1 x 28 with padding 0");
  Overrides large = layer({{"KH", count(3)}});
  for (const char* axis : {"H", "W", "Cin"}) large[axis] = count(1 << 20);
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("multiply-accumulates: more than 1e+18"));
  large["Cin"] = count(64);
  large["fidelity"] = text("cycle");
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("closed-form"));
  large["fidelity"] = text("closed-form");
  CHECK(metric(points, large, "pim_cycles") > 1e11);
}

TEST_CASE("explain shows the schedule of both controllers") {
  SystemPoints points = newton();
  for (const std::string controller : {"artifact", "paper"}) {
    const Overrides point = layer({{"controller", text(controller)}});
    const Explanation explanation = points.explanation(point);
    REQUIRE(explanation.sections.size() >= 3);
    const Explanation::Line& cycles = explanation.sections.back().lines.at(0);
    CHECK(cycles.name == "cycles");
    CHECK(std::stod(cycles.value) == metric(points, point, "pim_cycles"));
  }
}
