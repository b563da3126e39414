#include <catch2/catch.hpp>
#include <cmath>

#include "llm_points.h"
#include "sweep/hardware_file.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

const Overrides all_on_hbm_pim{{"model", text("gpt2-xl")}, {"policy", text("pim-all")}, {"context", integer(256)}};

Record hbm_pim_record(SystemPoints& points, const char* axis, const Value& value) {
  Overrides point = all_on_hbm_pim;
  point[axis] = value;
  return points.record(point);
}

}  // namespace

TEST_CASE("GEMMs on HBM-PIM take no less than its multipliers need, and as many passes as vectors") {
  SystemPoints points = points_on("llm-a100-hbm-pim");
  double before = 0;
  for (const std::int64_t batch : {1, 2, 7}) {
    const Record record = hbm_pim_record(points, "batch", integer(batch));
    REQUIRE(record.status == Status::ok);
    // 80 channels of 8 units with 16 lanes, a column every four cycles of 1 ns.
    const double rate = 80.0 * 8 * 16 * 1e9 / 4;
    CHECK(sum(points, record, "pim_time") >= points.metric(record, "pim_bytes") / 2 / rate);
    CHECK(points.metric(record, "pim_bytes") >= static_cast<double>(batch) * 2 * 1.5e9);
    CHECK(points.metric(record, "pim_weight_bytes") == 0);
    CHECK(points.metric(record, "time") > before);
    before = points.metric(record, "time");
  }
  const Record record = points.record(all_on_hbm_pim);
  CHECK(points.metric(hbm_pim_record(points, "hardware.pim.hbm_pim.energy.cells", Value{1e-11}), "energy") >
        points.metric(record, "energy"));
  CHECK(points.metric(hbm_pim_record(points, "hardware.pim.hbm_pim.channels", integer(160)), "time") <
        points.metric(record, "time"));
  CHECK(points.metric(hbm_pim_record(points, "weight_bits", Value{8.0}), "pim_busy") == 0);
}

TEST_CASE("attention PIM works on the memory of a point, which is slower with less power and more refreshes") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  Overrides point{
      {"model", text("llama-2-70b")}, {"policy", text("attacc")}, {"batch", integer(128)}, {"context", integer(8192)}};
  const auto time_with = [&](const char* axis, const Value& value) {
    Overrides other = point;
    other[axis] = value;
    return points.metric(points.record(other), "time");
  };
  const double own = points.metric(points.record(point), "time");
  CHECK(time_with("refresh_rate", integer(2)) > own);
  // What the stack draws at its own limit: 1024 banks with a column of 32 bytes every six cycles.
  CHECK(time_with("hardware.pim.power_limit", Value{32.5}) == own);
  CHECK(time_with("hardware.pim.power_limit", Value{20.0}) > own);
  const sweep::HardwareFile memory = sweep::load_hardware("dram-HBM3_6400", points.schema(), "configs", "memory");
  for (const auto& [key, constant] : memory.constants) point["hardware." + key] = constant.value;
  const double hbm3 = points.metric(points.record(point), "time");
  CHECK(hbm3 != own);
  CHECK(time_with("refresh_rate", integer(2)) > hbm3);
  CHECK(time_with("hardware.memory.timing.nFAW", integer(0)) < hbm3);
  CHECK(time_with("hardware.memory.timing.nCCDL", integer(40)) > hbm3);
}

TEST_CASE("area and cost count chips, memory and the units of PIM") {
  SystemPoints with = points_on("llm-8-a100-attacc");
  SystemPoints without = points_on("llm-8-a100");
  const Overrides point{{"model", text("llama-2-70b")}, {"policy", text("gpu")}};
  const double area = without.metric(without.record(point), "area");
  constexpr double square_millimeter = 1e-6;
  constexpr double memory = 8 * 80e9;
  CHECK(area == Approx(8 * 826 * square_millimeter + memory * 1.192e-13));
  // A unit of 16 multipliers at each of the 1024 banks of 40 stacks, and their memory.
  const double units = 40 * 1024 * 0.19 * square_millimeter;
  const double stacks = 40 * 16 * 1073741824.0 * 1.192e-13;
  CHECK(with.metric(with.record(point), "area") == Approx(area + units + stacks));
  CHECK(with.metric(with.record(point), "cost") > without.metric(without.record(point), "cost"));
  SystemPoints unknown = points_on("llm-titan-v-newton");
  CHECK(std::isnan(unknown.metric(unknown.record({{"model", text("gpt2-xl")}, {"policy", text("gpu")}}), "area")));
}

TEST_CASE("attention PIM whose banks open rows four at a time is slower, except where banks take turns") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  const auto time = [&](std::int64_t window, const char* placement) {
    return points.metric(points.record({{"model", text("llama-2-70b")},
                                        {"policy", text("attacc")},
                                        {"batch", integer(64)},
                                        {"context", integer(4096)},
                                        {"hardware.pim.stack.nFAW", integer(window)},
                                        {"hardware.pim.stack.placement", text(placement)}}),
                         "time");
  };
  CHECK(time(0, "bank") < time(24, "bank"));
  CHECK(time(24, "bank") < time(48, "bank"));
  CHECK(time(0, "bank-group") == time(48, "bank-group"));
}
