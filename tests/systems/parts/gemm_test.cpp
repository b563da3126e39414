#include <catch2/catch.hpp>
#include <cmath>

#include "../../hardware/reference.h"
#include "../system_points.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

Value text(std::string value) { return Value{std::move(value)}; }
Value count(std::int64_t value) { return Value{value}; }

SystemPoints nvdla() { return {make_gemm("configs"), "gemm-nvdla"}; }

SystemPoints::Overrides product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {{"M", count(m)},          {"N", count(n)},          {"K", count(k)},
          {"array_rows", count(8)}, {"array_cols", count(8)}, {"dram_words_per_cycle", Value{16.0}}};
}

SystemPoints::Overrides of_row(const test::Reference& rows, std::size_t row) {
  return product(rows.integer(row, "M"), rows.integer(row, "N"), rows.integer(row, "K"));
}

}  // namespace

TEST_CASE("SCALE-Sim's rows are met exactly") {
  SystemPoints points = nvdla();
  const test::Reference rows("results/reference/gemm/scalesim.csv");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"));
    SystemPoints::Overrides overrides = of_row(rows, row);
    overrides["dataflow"] = text(rows.text(row, "dataflow"));
    for (const char* axis : {"array_rows", "array_cols"}) overrides[axis] = count(rows.integer(row, axis));
    overrides["dram_words_per_cycle"] = Value{0.0};
    const Record record = points.record(overrides);
    for (const char* name : {"array_busy_lines", "cycles_total_no_stall", "sram_ifmap_reads", "sram_filter_reads",
                             "sram_ofmap_writes", "folds"}) {
      CAPTURE(name);
      if (!rows.text(row, name).empty()) CHECK(points.metric(record, name) == rows.real(row, name));
    }
    for (const char* name : {"overall_util_pct", "mapping_efficiency_pct", "compute_util_pct"}) {
      CAPTURE(name);
      if (!rows.text(row, name).empty())
        CHECK(points.metric(record, name) == Approx(rows.real(row, name)).margin(6e-5));
    }
    CHECK(points.metric(record, "cycles") == rows.real(row, "array_busy_lines"));
  }
}

TEST_CASE("the hardware file has the engine and the energies of Timeloop's rows") {
  SystemPoints points = nvdla();
  const test::Reference rows("results/reference/gemm/timeloop.csv");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"));
    SystemPoints::Overrides overrides = of_row(rows, row);
    overrides["dram_words_per_cycle"] = Value{rows.real(row, "dram_words_per_cycle")};
    overrides["metrics"] = text(rows.text(row, "metrics"));
    overrides["best_mapping"] = text(rows.text(row, "best_mapping"));
    const Record best = points.record(overrides);
    overrides["mapper"] = text("given");
    const Record theirs = points.record(overrides);
    const auto metric = [&](const Record& record, const char* name) { return points.metric(record, name); };
    CHECK(metric(theirs, "compute_cycles") == rows.real(row, "compute_cycles"));
    if (rows.text(row, "best_mapping").find(';') == std::string::npos) {
      CHECK(metric(theirs, "utilization_pct") == Approx(rows.real(row, "utilization_pct")).margin(0.00501));
      for (const char* part : {"MACs", "Registers", "AccBuffer", "Buffer", "DRAM"}) {
        const std::string name = std::string("fJ_") + part;
        CHECK(points.metric(theirs, name) == Approx(rows.real(row, name)).margin(0.00501));
      }
    }
    const char* first = rows.text(row, "metrics") == "delay then energy" ? "cycles" : "energy";
    CHECK(metric(best, first) <= metric(theirs, first));
  }
}

TEST_CASE("cycles, utilization and energy of every dataflow are consistent") {
  SystemPoints points = nvdla();
  for (const char* dataflow : {"mapped", "os", "ws", "is"}) {
    CAPTURE(dataflow);
    SystemPoints::Overrides overrides = product(197, 64, 197);
    overrides["dataflow"] = text(dataflow);
    const Record r = points.record(overrides);
    const auto m = [&](const char* name) { return points.metric(r, name); };
    CHECK(m("cycles") >= m("compute_cycles"));
    CHECK(m("utilization_pct") == Approx(100 * m("macs") / (64 * m("cycles"))));
    CHECK(m("utilization_pct") <= 100);
    CHECK(m("energy_delay") == Approx(m("energy") * m("cycles")));
    CHECK(m("fJ_per_MAC_total") ==
          Approx(m("fJ_MACs") + m("fJ_Registers") + m("fJ_AccBuffer") + m("fJ_Buffer") + m("fJ_DRAM")));
    CHECK(std::isnan(m("folds")) == (std::string(dataflow) == "mapped"));
    CHECK(std::isnan(m("dram_reads_A")) == (std::string(dataflow) != "mapped"));
    // A slow DRAM is what cycles then wait for.
    overrides["dram_words_per_cycle"] = Value{0.5};
    CHECK(points.metric(points.record(overrides), "cycles") == 2 * m("dram_words"));
    CHECK(points.explanation(overrides).sections.size() == 3);
  }
}

TEST_CASE("points without a meaning are refused, those without a mapping infeasible") {
  SystemPoints points = nvdla();
  const auto with = [](const char* axis, Value value) {
    SystemPoints::Overrides overrides = product(49, 49, 32);
    overrides[axis] = std::move(value);
    return overrides;
  };
  SystemPoints::Overrides large = with("mapper", text("given"));
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("column 1: expected 'L3[ABZ]', got 'end'"));
  large["best_mapping"] = text("L3[ABZ] - L2[ABZ] - L1[Z] M49 K32Y - L0[B]");
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("do not cover N = 49"));
  large["best_mapping"] = text("L3[ABZ] - L2[ABZ] N7 N7X - L1[Z] M49 K32Y - L0[B]");
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("does not fit an array of 8 x 8"));
  CHECK_THROWS_WITH(points.record(with("hardware.data.word", count(128))), Catch::Contains("do not hold a word"));
  SystemPoints::Overrides huge = product(1 << 20, 1 << 20, 1 << 20);
  CHECK_THROWS_WITH(points.record(huge), Catch::Contains("multiply-accumulates"));
  const Record slow = points.record(with("max_cycles", count(1371)));
  CHECK(slow.status == Status::infeasible);
  CHECK(slow.message == "no mapping takes at most max_cycles");
  CHECK(points.record(with("max_cycles", count(1372))).status == Status::ok);
  const Record cramped = points.record(with("hardware.sram.buffer", count(2)));
  CHECK(cramped.status == Status::infeasible);
  CHECK(cramped.message == "a buffer of 2 words cannot hold a word of each operand");
}
