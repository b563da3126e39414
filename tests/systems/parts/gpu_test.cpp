#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "systems/parts/parts.h"
#include "systems/system_points.h"

namespace pimsweep {
namespace {

using Overrides = SystemPoints::Overrides;

SystemPoints& points() {
  static SystemPoints all(systems::parts::make_gpu("configs"), "gpu-v100");
  return all;
}

double metric(const Overrides& overrides, const std::string& name) {
  const systems::Record record = points().record(overrides);
  REQUIRE(record.status == systems::Status::ok);
  return points().metric(record, name);
}

Value text(const char* value) { return Value{std::string(value)}; }

}  // namespace

TEST_CASE("every kind of model runs, and the kernels add up") {
  for (const char* model : {"resnet-50", "mobilenet-v2", "inception-v3", "swin-t", "pvt-t", "cswin-t", "focal-t",
                            "twins-svt-s", "vit-b", "bert-base", "dcgan-generator", "alexnet"}) {
    for (const char* mode : {"fused", "counted", "eager"}) {
      CAPTURE(model, mode);
      const systems::Record record = points().record({{"model", text(model)}, {"elementwise", text(mode)}});
      REQUIRE(record.status == systems::Status::ok);
      const auto value = [&](const char* name) { return points().metric(record, name); };
      const std::vector<Value> times = points().column(record, "by_kernel", "time");
      double sum = 0;
      for (const Value& time : times) sum += to_real(time);
      // The second launch of a split product may pass while the first part runs.
      CHECK(sum <= (value("launch_time") + value("work_time")) * (1 + 1e-12));
      CHECK(sum >= std::max(value("launch_time") / 2, value("work_time")));
      CHECK(sum == Approx(value("gemm_time") + value("convolution_time") + value("other_time")));
      CHECK(value("kernels") == static_cast<double>(times.size()));
      CHECK(value("time") == std::max(value("launch_time"), value("work_time")));
      CHECK(value("energy") == Approx(value("power") * value("time")));
      // Never faster than the card's peak.
      CHECK(value("rate") < 15.7e12);
    }
  }
}

TEST_CASE("every kernel that a framework launches in addition takes time") {
  std::mt19937 random(1);
  for (const char* model : {"resnet-18", "swin-t", "mobilenet-v2", "pvt-t"}) {
    for (const std::int64_t batch : {std::int64_t{1}, std::int64_t(2 + random() % 20), std::int64_t{64}}) {
      CAPTURE(model, batch);
      const auto work = [&](const char* mode) {
        return metric({{"model", text(model)}, {"batch", Value{batch}}, {"elementwise", text(mode)}}, "work_time");
      };
      CHECK(work("fused") < work("counted"));
      CHECK(work("counted") < work("eager"));
    }
  }
}

TEST_CASE("waiting for each kernel, less bandwidth and more images never make it faster") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const auto batch = static_cast<std::int64_t>(1 + random() % 64);
    const double bandwidth = 1e11 * (1 + static_cast<double>(random() % 8));
    const Overrides point{{"model", text(trial % 2 == 0 ? "resnet-18" : "pvt-t")},
                          {"batch", Value{batch}},
                          {"hardware.memory.bandwidth", Value{bandwidth}}};
    const double seconds = metric(point, "time");
    const auto with = [&](const char* axis, Value value) {
      Overrides changed = point;
      changed[axis] = std::move(value);
      return metric(changed, "time");
    };
    CHECK(with("launches", text("exposed")) >= seconds);
    CHECK(with("hardware.memory.bandwidth", Value{0.7 * bandwidth}) >= seconds);
    CHECK(with("batch", Value{batch + 1}) >= seconds);
  }
}

TEST_CASE("a language model takes tokens and a model of images pixels") {
  const Overrides bert{{"model", text("bert-base")}};
  Overrides longer = bert;
  longer["tokens"] = Value{std::int64_t{512}};
  CHECK(metric(longer, "macs") > metric(bert, "macs"));
  Overrides larger{{"model", text("resnet-50")}, {"image_px", Value{std::int64_t{288}}}};
  CHECK(metric(larger, "macs") > metric({{"model", text("resnet-50")}}, "macs"));
  larger["tokens"] = Value{std::int64_t{64}};
  CHECK_THROWS_WITH(points().record(larger), Catch::Contains("set axis 'image_px' instead of 'tokens'"));
  longer["image_px"] = Value{std::int64_t{64}};
  CHECK_THROWS_WITH(points().record(longer), Catch::Contains("set axis 'tokens' instead of 'image_px'"));
}

}  // namespace pimsweep
