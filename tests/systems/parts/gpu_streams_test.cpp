#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "base/error.h"
#include "systems/parts/parts.h"
#include "systems/system_points.h"

using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

using Axes = SystemPoints::Overrides;

Value text(const char* value) { return std::string(value); }
Value count(std::int64_t value) { return value; }

Axes operation(const char* kind) {
  return {{"kind", text(kind)},   {"N", count(32)},      {"H", count(35)},       {"W", count(35)},
          {"C", count(288)},      {"K", count(384)},     {"filter_h", count(3)}, {"filter_w", count(3)},
          {"stride_h", count(2)}, {"stride_w", count(2)}};
}

Axes with(Axes axes, const Axes& more) {
  for (const auto& [name, value] : more) axes.insert_or_assign(name, value);
  return axes;
}

SystemPoints card() { return {make_gpu_streams("configs"), "rtconc-p100"}; }

}  // namespace

TEST_CASE("the best launch is the fastest of all launches", "[gpu-streams]") {
  SystemPoints points = card();
  std::mt19937_64 generator(7);
  for (const char* kind : {"bias", "pool"}) {
    const Record best = points.record(operation(kind));
    REQUIRE(best.status == Status::ok);
    CHECK(points.metric(best, "thread_loss") == 0);
    CHECK(points.metric(best, "block_loss") == 0);
    for (int i = 0; i < 300; ++i) {
      const std::int64_t threads = std::uniform_int_distribution<std::int64_t>(1, 1024)(generator);
      const std::int64_t each = std::uniform_int_distribution<std::int64_t>(1, 32)(generator);
      const Record any =
          points.record(with(operation(kind), {{"threads", count(threads)}, {"blocks", count(56 * each)}}));
      // Only whole warps are tried: an odd number of threads may come out better by a share of an element.
      CHECK(points.metric(any, "time") >= 0.98 * points.metric(best, "time"));
      if (threads % 32 == 0) CHECK(points.metric(any, "time") >= points.metric(best, "time"));
    }
  }
}

TEST_CASE("losses compare with the launch that is asked for", "[gpu-streams]") {
  SystemPoints points = card();
  const auto run_time = [&](std::int64_t threads) {
    return points.metric(points.record(with(operation("pool"), {{"threads", count(threads)}, {"blocks", count(56)}})),
                         "run_time");
  };
  const Record few = points.record(
      with(operation("pool"), {{"threads", count(10)}, {"blocks", count(56)}, {"than_threads", count(100)}}));
  CHECK(points.metric(few, "thread_loss") == Approx(run_time(10) / run_time(100) - 1));
  CHECK(run_time(10) > run_time(100));
}

TEST_CASE("two at a time: from one after the other to sharing the card", "[gpu-streams]") {
  SystemPoints points = card();
  for (const char* kind : {"bias", "pool", "conv"}) {
    const auto pair_time = [&](const char* how) {
      const Record record = points.record(with(operation(kind), {{"co_run", text(how)}, {"runs", count(10)}}));
      CHECK(points.metric(record, "makespan") == Approx(10 * points.metric(record, "pair_time")));
      CHECK(points.metric(record, "speedup") ==
            Approx(2 * points.metric(record, "run_time") / points.metric(record, "pair_time")));
      return points.metric(record, "pair_time");
    };
    CHECK(pair_time("mps") <= pair_time("processes"));
    CHECK(pair_time("mps") <= pair_time("streams"));
    CHECK(pair_time("processes") < pair_time("serial"));
    CHECK(pair_time("streams") <= pair_time("serial"));
    CHECK(points.explanation(operation(kind)).sections.size() == 2);
  }
}

TEST_CASE("impossible launches are infeasible or refused", "[gpu-streams]") {
  SystemPoints points = card();
  const Record large = points.record(with(operation("bias"), {{"threads", count(1025)}, {"blocks", count(56)}}));
  CHECK(large.status == Status::infeasible);
  CHECK_THAT(large.message, Catch::Contains("1025 threads"));
  CHECK(points.record(with(operation("bias"), {{"precision", text("int8")}})).status == Status::infeasible);
  CHECK_THROWS_AS(points.record(with(operation("conv"), {{"threads", count(64)}})), PointError);
  CHECK_THROWS_AS(points.record(with(operation("pool"), {{"pass", text("backward_inputs")}})), PointError);
  CHECK_THROWS_AS(points.record(with(operation("pool"), {{"filter_h", count(36)}})), PointError);
}
