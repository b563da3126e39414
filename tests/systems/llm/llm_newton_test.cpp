#include <catch2/catch.hpp>

#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using Catch::Matchers::Contains;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

const Overrides step{{"model", text("gpt2-xl")}, {"policy", text("pim-all")}, {"context", integer(256)}};

Record record_with(SystemPoints& points, const char* axis, const Value& value) {
  Overrides point = step;
  point[axis] = value;
  return points.record(point);
}

}  // namespace

TEST_CASE("Newton's GEMMs take no less than its multipliers need") {
  SystemPoints points = points_on("llm-titan-v-newton");
  for (const std::int64_t batch : {1, 2, 7}) {
    const Record record = record_with(points, "batch", integer(batch));
    REQUIRE(record.status == Status::ok);
    // Columns of 16 banks and 16 lanes in each of 24 channels, at 850 MHz.
    const double rate = 24 * 16 * 16 * 850e6;
    CHECK(sum(points, record, "pim_time") >= points.metric(record, "pim_bytes") / 2 / rate);
    // Each token reads all weights again; embeddings are not GEMMs, and the head is the table of the words.
    CHECK(points.metric(record, "pim_bytes") >= static_cast<double>(batch) * 2 * 1.5e9);
    CHECK(points.metric(record, "pim_weight_bytes") == 0);
  }
}

TEST_CASE("Newton is never slower with more channels or buffers, nor faster with more sequences") {
  SystemPoints points = points_on("llm-titan-v-newton");
  Overrides point = step;
  point["batch"] = integer(8);
  const auto time_with = [&](const char* axis, std::int64_t value) {
    Overrides changed = point;
    changed[axis] = integer(value);
    return points.metric(points.record(changed), "time");
  };
  CHECK(time_with("hardware.pim.newton.channels", 48) < time_with("hardware.pim.newton.channels", 24));
  CHECK(time_with("hardware.pim.newton.buffers", 4) < time_with("hardware.pim.newton.buffers", 1));
  CHECK(time_with("batch", 9) > time_with("batch", 8));
}

TEST_CASE("The faster side takes GEMMs of few tokens to Newton, and those of many to the GPU") {
  SystemPoints points = points_on("llm-titan-v-newton");
  Overrides point = step;
  point["policy"] = text("ianus");
  const Record one = points.record(point);
  CHECK(points.metric(one, "pim_busy") > 0);
  const auto on_gpus = [&](Overrides changed) {
    changed["policy"] = text("gpu");
    return points.metric(points.record(changed), "time");
  };
  CHECK(points.metric(one, "time") < on_gpus(point));
  point["batch"] = integer(64);
  const Record many = points.record(point);
  REQUIRE(many.status == Status::ok);
  CHECK(points.metric(many, "pim_busy") == 0);
  CHECK(points.metric(many, "time") == on_gpus(point));
}

TEST_CASE("What Newton cannot do stays on the GPU, or is refused") {
  SystemPoints points = points_on("llm-titan-v-newton");
  CHECK(points.metric(record_with(points, "weight_bits", Value{8.0}), "pim_busy") == 0);
  CHECK_THAT(record_with(points, "policy", text("attacc")).message, Contains("runs attention on PIM"));
  CHECK_THROWS_WITH(record_with(points, "hardware.pim.timing.nRFC", integer(3310)), Contains("refreshes come every"));
}
