#include "hardware/pe_array/systolic.h"

#include <catch2/catch.hpp>

#include "reference.h"

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep;

TEST_CASE("the closed form gives SCALE-Sim's cycles, folds and utilization exactly") {
  const pimsweep::test::Reference reference("results/reference/gemm/scalesim.csv");
  REQUIRE(reference.size() > 100);
  std::size_t complete = 0;
  for (std::size_t row = 0; row < reference.size(); ++row) {
    const Gemm gemm{reference.integer(row, "M"), reference.integer(row, "N"), reference.integer(row, "K")};
    const std::string& name = reference.text(row, "dataflow");
    const Dataflow dataflow = name == "os"   ? Dataflow::output_stationary
                              : name == "ws" ? Dataflow::weight_stationary
                                             : Dataflow::input_stationary;
    const SystolicCost cost =
        systolic_cost(gemm, dataflow, reference.integer(row, "array_rows"), reference.integer(row, "array_cols"));
    INFO("case " << reference.text(row, "case_id"));
    CHECK(cost.folds == reference.integer(row, "folds"));
    CHECK(cost.busy_lines == reference.integer(row, "array_busy_lines"));
    CHECK(cost.ifmap_reads == reference.integer(row, "sram_ifmap_reads"));
    CHECK(cost.filter_reads == reference.integer(row, "sram_filter_reads"));
    CHECK(cost.reported_ofmap_writes == reference.integer(row, "sram_ofmap_writes"));
    // The reference prints four decimals of a percentage.
    CHECK(100 * cost.mapping_efficiency == Approx(reference.real(row, "mapping_efficiency_pct")).margin(6e-5));
    CHECK(100 * cost.compute_utilization == Approx(reference.real(row, "compute_util_pct")).margin(6e-5));
    // Of the largest products the simulator ran the demand matrix alone: these rows have no totals.
    if (reference.text(row, "cycles_total_no_stall").empty()) continue;
    ++complete;
    CHECK(cost.total_cycles == reference.integer(row, "cycles_total_no_stall"));
    CHECK(100 * cost.utilization == Approx(reference.real(row, "overall_util_pct")).margin(6e-5));
  }
  CHECK(complete > 90);
}

TEST_CASE("a systolic array refuses empty products and arrays") {
  CHECK_THROWS_AS(systolic_cost({0, 1, 1}, Dataflow::output_stationary, 8, 8), std::invalid_argument);
  CHECK_THROWS_AS(systolic_cost({1, 1, 1}, Dataflow::output_stationary, 0, 8), std::invalid_argument);
}
