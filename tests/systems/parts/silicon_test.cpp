#include <catch2/catch.hpp>
#include <cmath>

#include "systems/system_points.h"

using namespace pimsweep::systems;
using namespace pimsweep;
using Overrides = SystemPoints::Overrides;

namespace {

SystemPoints machine(const std::string& system, const std::string& hardware) {
  return {make_system(system, "configs"), hardware};
}

Value whole(std::int64_t number) { return number; }
Value text(std::string words) { return words; }

struct Silicon {
  double area;
  double cost;
};

Silicon silicon_of(SystemPoints& points, const Overrides& overrides) {
  const Record record = points.record(overrides);
  return {points.metric(record, "area"), points.metric(record, "cost")};
}

}  // namespace

TEST_CASE("Allspark: more of any part is never smaller or cheaper, and the policy changes nothing") {
  SystemPoints points = machine("allspark", "allspark-3d-dram");
  const Overrides base{{"model", text("swin-t")}, {"policy", text("patch")}};
  const Silicon before = silicon_of(points, base);
  CHECK(before.area > 0);
  const std::map<std::string, Value> larger{
      {"hardware.node_array.rows", whole(17)},     {"hardware.node_array.cols", whole(24)},
      {"hardware.pe_array.rows", whole(9)},        {"hardware.pe_array.cols", whole(16)},
      {"hardware.acu.lanes", whole(16)},           {"hardware.sram.buffer", 65536.0},
      {"hardware.dram.bank_capacity", 16777216.0}, {"hardware.dram.banks_per_node", whole(2)},
      {"hardware.noc.link_bandwidth", 6.4e9}};
  for (const auto& [axis, value] : larger) {
    INFO(axis);
    Overrides more = base;
    more[axis] = value;
    const Silicon after = silicon_of(points, more);
    CHECK(after.area > before.area);
    CHECK(after.cost > before.cost);
  }
  for (const char* policy : {"branch", "head", "allspark"}) {
    Overrides other = base;
    other["policy"] = text(policy);
    CHECK(silicon_of(points, other).area == before.area);
    CHECK(silicon_of(points, other).cost == before.cost);
  }
  Overrides ideal = base;
  ideal["execution"] = text("ideal");
  CHECK(silicon_of(points, ideal).area == before.area);
}

TEST_CASE("HyPar: twice the accelerators are twice the area and cost, whatever the parallelism") {
  SystemPoints points = machine("hypar", "hypar-hmc-array");
  Silicon before{};
  for (std::int64_t levels = 0; levels < 5; ++levels) {
    Overrides overrides{{"model", text("lenet-c")}, {"policy", text("data")}, {"levels", whole(levels)}};
    const Silicon now = silicon_of(points, overrides);
    overrides["policy"] = text("hypar");
    CHECK(silicon_of(points, overrides).area == now.area);
    if (levels > 0) {
      CHECK(now.area == Approx(2 * before.area));
      CHECK(now.cost == Approx(2 * before.cost));
    }
    before = now;
  }
}

TEST_CASE("PIMFlow: each PIM channel adds 16 banks of 0.19 mm2 to the GPU's chip") {
  SystemPoints points = machine("pimflow", "pimflow-rtx-2060");
  const Overrides gpu{{"model", text("mobilenet-v2")}, {"policy", text("gpu")}};
  const double chip = silicon_of(points, gpu).area;
  CHECK(chip == Approx(445e-6));
  for (const std::int64_t left : {24, 16}) {
    Overrides pim = gpu;
    pim["policy"] = text("newton++");
    pim["memory_channels"] = whole(left);
    CHECK(silicon_of(points, pim).area == Approx(chip + static_cast<double>(32 - left) * 16 * 0.19e-6));
  }
}

TEST_CASE("Without densities there is neither area nor cost") {
  SystemPoints points = machine("allspark", "allspark-3d-dram");
  const Silicon none =
      silicon_of(points, {{"model", text("swin-t")}, {"policy", text("patch")}, {"hardware.silicon.wafer_cost", 0.0}});
  CHECK(std::isnan(none.area));
  CHECK(std::isnan(none.cost));
}

TEST_CASE("The parts of a machine alone cost what the machine does") {
  SystemPoints points = machine("allspark", "allspark-3d-dram");
  SystemPoints parts = machine("silicon", "silicon");
  const Silicon array = silicon_of(points, {{"model", text("swin-t")}, {"policy", text("patch")}});
  // 16 x 16 nodes of 8 x 8 PEs, 8 lanes, 48 KiB, links of 3.2 GB/s at 400 MHz, 8 MiB.
  const Silicon heap = silicon_of(parts, {{"units", 16384.0},
                                          {"lanes", 2048.0},
                                          {"sram", 256 * 49152.0},
                                          {"links", 256 * 8.0},
                                          {"dram", 256 * 8388608.0}});
  CHECK(heap.area == Approx(array.area));
  CHECK(heap.cost == Approx(array.cost));
}

TEST_CASE("dies without any yield have no finite cost and are refused") {
  SystemPoints points = machine("silicon", "silicon");
  const Overrides dies{{"processors", 4.0}, {"hardware.processor_area", 1e-3}};
  CHECK(silicon_of(points, dies).cost > 0);
  Overrides complex = dies;
  complex["hardware.complexity"] = 1e6;
  CHECK_THROWS_WITH(points.record(complex), Catch::Contains("has no yield"));
  // Parts that a machine lacks cost nothing, whatever their yield.
  complex["processors"] = 0.0;
  CHECK(silicon_of(points, complex).cost == 0);
}
