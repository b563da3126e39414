#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "base/error.h"
#include "systems/parts/parts.h"
#include "systems/system_points.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

using Axes = SystemPoints::Overrides;

std::int64_t n(std::int64_t value) { return value; }
std::string t(const char* value) { return value; }

SystemPoints phi() { return {make_cpu_kernel("configs"), "xeon-phi-7250"}; }

Axes gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  return {{"kind", t("gemm")}, {"M", n(rows)}, {"N", n(columns)}, {"K", n(depth)}};
}

Axes convolution() {
  return {{"kind", t("conv")}, {"W", n(8)},   {"H", n(8)},        {"C", n(384)},
          {"N", n(32)},        {"K", n(384)}, {"filter_w", n(3)}, {"pad_w", n(1)}};
}

}  // namespace

TEST_CASE("Every processor has its data sheet's peak rate and at most three fitted constants") {
  for (const auto& [name, peak] : {std::pair{"xeon-phi-7250", 6.09e12}, {"xeon-e5-2630-v3", 614.4e9}}) {
    SystemPoints cpu(make_cpu_kernel("configs"), name);
    const Record record = cpu.record(gemm(4096, 4096, 4096));
    INFO(name);
    CHECK(cpu.metric(record, "achieved_rate") / cpu.metric(record, "peak_share") == Approx(peak).epsilon(0.01));
    CHECK(cpu.metric(record, "peak_share") > 0.5);
    CHECK(cpu.metric(record, "peak_share") < 1);
    int fitted = 0;
    for (const auto& [key, constant] : load_hardware(name, cpu.schema(), "configs").constants) {
      fitted += !constant.calibrated_to.empty();
    }
    CHECK(fitted <= 3);
  }
}

TEST_CASE("The search finds the number of threads that trying all of them finds") {
  SystemPoints cpu = phi();
  Axes axes = convolution();
  axes["framework"] = t("tensorflow");
  axes["search"] = true;
  const Record found = cpu.record(axes);
  axes["search"] = false;
  double shortest = INFINITY;
  double threads = 0;
  for (std::int64_t count = 1; count <= 68; ++count) {
    axes["threads"] = n(count);
    const double time = cpu.metric(cpu.record(axes), "time");
    if (time >= shortest) continue;
    shortest = time;
    threads = static_cast<double>(count);
  }
  CHECK(cpu.metric(found, "best_threads") == threads);
  CHECK(cpu.metric(found, "best_time") == shortest);
  CHECK(cpu.metric(found, "gain_over_all_cores") == Approx(cpu.metric(found, "time") / shortest - 1));
}

TEST_CASE("Larger operations want more threads, and halves of the cores beat shared cores") {
  SystemPoints cpu = phi();
  Axes axes = convolution();
  axes["framework"] = t("tensorflow");
  axes["search"] = true;
  double before = 0;
  for (const std::int64_t images : {1, 4, 16, 64}) {
    axes["N"] = n(images);
    const double best = cpu.metric(cpu.record(axes), "best_threads");
    CHECK(best >= before);
    before = best;
  }
  // Table III of the concurrency-control paper, in its order.
  axes["beside"] = t("backward_weights");
  const double serial = cpu.metric(cpu.record(axes), "makespan");
  axes["co_run"] = t("hyper-threads");
  const double shared = cpu.metric(cpu.record(axes), "makespan");
  axes["co_run"] = t("partition");
  axes["threads"] = n(34);
  const Record halves = cpu.record(axes);
  CHECK(shared < serial);
  CHECK(cpu.metric(halves, "makespan") < shared);
  CHECK(cpu.metric(halves, "speedup") == Approx(serial / cpu.metric(halves, "makespan")));
}

TEST_CASE("Two passes of measured times take their sum on the same cores, and the longer of both on halves") {
  SystemPoints cpu = phi();
  Axes axes = convolution();
  axes["pass"] = t("backward_weights");
  axes["beside"] = t("backward_inputs");
  axes["profile.time"] = 20e-3;
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("go together"));
  axes["profile.beside_time"] = 16e-3;
  axes["profile.loss"] = 0.2;
  axes["profile.beside_loss"] = 0.5;
  for (const char* co_run : {"serial", "hyper-threads"}) {
    axes["co_run"] = t(co_run);
    CHECK(cpu.metric(cpu.record(axes), "makespan") == Approx(36e-3));
  }
  axes["co_run"] = t("partition");
  axes["threads"] = n(34);
  const Record halves = cpu.record(axes);
  CHECK(cpu.metric(halves, "makespan") == Approx(32e-3));
  CHECK(cpu.metric(halves, "speedup") == Approx(36.0 / 32));
  axes["beside"] = t("none");
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("go together"));
}

TEST_CASE("times of operations have the names of the sheets") {
  SystemPoints cpu = phi();
  const Record product = cpu.record(gemm(1024, 1024, 1024));
  CHECK(cpu.metric(product, "time_ms") == Approx(1e3 * cpu.metric(product, "time")));
  CHECK(std::isnan(cpu.metric(product, "forward_ms")));
  CHECK(cpu.text(product, "caveat").empty());
  Axes axes = convolution();
  axes["pass"] = t("backward_weights");
  const Record layer = cpu.record(axes);
  CHECK(cpu.metric(layer, "backward_weights_ms") == Approx(1e3 * cpu.metric(layer, "time")));
  CHECK(cpu.metric(layer, "backward_total_ms") ==
        Approx(cpu.metric(layer, "backward_inputs_ms") + cpu.metric(layer, "backward_weights_ms")));
}

TEST_CASE("every kind has a time, and points without a meaning are refused") {
  SystemPoints cpu = phi();
  for (const char* kind :
       {"gemm", "conv", "rnn", "elementwise", "pool", "bias", "bias_gradient", "batch_norm", "optimizer"}) {
    INFO(kind);
    CHECK(cpu.metric(cpu.record({{"kind", t(kind)}}), "time") > 0);
    CHECK(!cpu.explanation({{"kind", t(kind)}}).sections.empty());
  }
  Axes axes = gemm(64, 64, 64);
  axes["threads"] = n(273);
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("68 cores with 4 hardware threads"));
  axes = gemm(64, 64, 64);
  axes["device"] = t("Tesla T4");
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("measured on 'Tesla T4'") && Catch::Contains("where"));
  axes = gemm(64, 64, 64);
  axes["pass"] = t("backward_inputs");
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("only 'forward'"));
  axes = gemm(64, 64, 64);
  axes["precision"] = t("int8");
  CHECK(cpu.record(axes).status == Status::infeasible);
  axes = gemm(64, 64, 64);
  axes["beside"] = t("forward");
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("only kind 'conv'"));
  axes = convolution();
  axes["filter_h"] = n(11);
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("larger than the padded input"));
  axes = convolution();
  axes["beside"] = t("forward");
  axes["co_run"] = t("partition");
  axes["threads"] = n(35);
  CHECK_THROWS_WITH(cpu.record(axes), Catch::Contains("exceed the 68 threads"));
}
