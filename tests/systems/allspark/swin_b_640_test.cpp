#include <catch2/catch.hpp>
#include <numeric>

#include "systems/allspark/allspark_points.h"
#include "systems/allspark/random_models.h"
#include "systems/allspark/stage_cost.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

constexpr double mebibyte = 1 << 20;
const std::string table_v = "1x1*2 4x2 | 2x1 4x4 | 8x2*2 16x4 | 4x4";

AllsparkPoints::Overrides swin_b(const std::string& policy) {
  return {{"model", std::string("swin-b")}, {"image_px", std::int64_t{640}}, {"policy", policy}};
}

AllsparkPoints::Overrides printed_schedule() {
  AllsparkPoints::Overrides point = swin_b("manual");
  point["schedule"] = table_v;
  return point;
}

std::vector<std::int64_t> layer_counts(const AllsparkPoints& points, const Record& record) {
  std::vector<std::int64_t> counts;
  for (const Value& value : points.column(record, "stages", "temporal_layers")) {
    counts.push_back(std::get<std::int64_t>(value));
  }
  return counts;
}

}  // namespace

TEST_CASE("Table VI: memory of Table V's schedule with weight reuse and sharing") {
  AllsparkPoints points;
  const Record record = points.record(printed_schedule());
  REQUIRE(record.status == Status::ok);
  CHECK(points.metric(record, "weights_stored") == 6.9375 * mebibyte);
  // Stage 4: the gathered FC1 weights 4 x 1024 x 256 and seven chunks of 13 x 256.
  CHECK(points.metric(record, "workspace") == mebibyte + 7 * 13 * 256);
  CHECK(points.metric(record, "memory_used") / mebibyte == Approx(7.96).margin(0.005));
}

TEST_CASE("Table VI: without reuse each temporal layer has its weights, without sharing each node its group's") {
  AllsparkPoints points;
  AllsparkPoints::Overrides point = printed_schedule();
  point["weight_reuse"] = false;
  const Record no_reuse = points.record(point);
  CHECK(no_reuse.status == Status::infeasible);
  // Stages in MiB: 0.375 (2 + 1/8), 1.5 (1/2 + 1/16), 54 (... 2/16 + 1/64) blocks times 12 C^2, 24 / 16.
  CHECK(points.metric(no_reuse, "weights_stored") ==
        (0.375 * 2.125 + 1.5 * 0.5625 + 54 * (2.0 / 16 + 1.0 / 64) + 24.0 / 16) * mebibyte);
  point["weight_reuse"] = true;
  point["weight_sharing"] = false;
  const Record no_sharing = points.record(point);
  CHECK(no_sharing.status == Status::infeasible);
  CHECK(points.metric(no_sharing, "weights_stored") ==
        (0.375 + 1.5 * (1.0 / 2 + 1.0 / 4) + 54 * (1.0 / 8 + 1.0 / 16) + 24.0 / 4) * mebibyte);
  CHECK(points.metric(no_sharing, "workspace") == points.metric(no_reuse, "workspace"));
  // Divided by the second index of each scheme.
  point["unshared_split"] = std::string("patch");
  CHECK(points.metric(points.record(point), "weights_stored") ==
        (0.375 + 1.5 * (1.0 + 1.0 / 4) + 54 * (1.0 / 2 + 1.0 / 4) + 24.0 / 4) * mebibyte);
}

TEST_CASE("Table V: layers of the optimum, and it costs no more than the printed schedule") {
  AllsparkPoints points;
  const Record optimum = points.record(swin_b("allspark"));
  const Record printed = points.record(printed_schedule());
  CHECK(layer_counts(points, optimum) == std::vector<std::int64_t>{3, 2, 3, 1});
  CHECK(points.metric(optimum, "cycles") <= points.metric(printed, "cycles"));
  CHECK(std::get<std::string>(points.column(optimum, "stages", "schemes")[0]) == "1x1*2 4x2");

  AllsparkPoints::Overrides pipelined = swin_b("allspark");
  pipelined["hardware.noc.transfer"] = std::string("pipelined");
  CHECK(layer_counts(points, points.record(pipelined)) == std::vector<std::int64_t>{3, 2, 3, 2});
}

TEST_CASE("Figure 4: branch-level utilization of stages 3 and 4") {
  AllsparkPoints points;
  const Record record = points.record(swin_b("branch"));
  const std::vector<Value> utilization = points.column(record, "stages", "node_utilization");
  CHECK(to_real(utilization[2]) == 36.0 / 256);
  CHECK(to_real(utilization[3]) == 9.0 / 256);
}

TEST_CASE("the model file gives the same Swin-B as its paper's table") {
  AllsparkPoints points;
  GemmCache gemms;
  const Machine machine = table_iv();
  const workload::VisionTransformer model = swin_b_640();
  const std::vector<Partition> partitions{{1, 1, 1}, {2, 1, 1}, {8, 2, 1}, {4, 4, 1}};
  const Record record = [&] {
    AllsparkPoints::Overrides point = swin_b("manual");
    point["rates"] = std::string("peak");
    point["schedule"] = std::string("1x1*3 | 2x1*2 | 8x2*3 | 4x4");
    return points.record(point);
  }();
  const std::vector<Value> layers = points.column(record, "stages", "temporal_layers");
  const std::vector<Value> times = points.column(record, "stages", "time");
  REQUIRE(record.status == Status::ok);
  for (std::size_t s = 0; s < 4; ++s) {
    const PartitionCost cost = partition_cost(model.stages[s], s == 0, partitions[s], {}, machine, gemms);
    CHECK(to_real(times[s]) ==
          Approx(to_real(layers[s]) * static_cast<double>(cost.time.total()) / machine.clock).epsilon(1e-12));
  }
}
