#include <catch2/catch.hpp>

#include "../reference.h"
#include "engines.h"
#include "hardware/pe_array/mapper/mapper.h"
#include "hardware/pe_array/mapper/notation.h"

using namespace pimsweep::hardware::pe_array::mapper;
using namespace pimsweep::hardware::pe_array;
using namespace pimsweep;

TEST_CASE("the cost model gives Timeloop's numbers for Timeloop's own mappings") {
  const test::Reference rows("results/reference/gemm/timeloop.csv");
  std::size_t exact = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"), rows.text(row, "best_mapping"));
    const Gemm gemm{rows.integer(row, "M"), rows.integer(row, "N"), rows.integer(row, "K")};
    const Engine engine = test::timeloop_engine(rows.real(row, "dram_words_per_cycle"));
    const std::string& text = rows.text(row, "best_mapping");
    const Mapping mapping = parse_mapping(text, gemm);
    REQUIRE(is_possible(mapping, gemm, engine));
    const Cost cost = cost_of(mapping, gemm, engine);
    CHECK(cost.compute_cycles == rows.integer(row, "compute_cycles"));
    CHECK(cost.cycles == rows.integer(row, "cycles"));
    const auto fj_per_mac = [&](double joule) { return joule * 1e15 / static_cast<double>(cost.macs); };
    if (text.find(';') != std::string::npos) {
      // Timeloop pads what it moves, and takes means over ragged rounds for whole numbers.
      CHECK(fj_per_mac(cost.energy()) == Approx(rows.real(row, "fJ_per_MAC_total")).epsilon(0.05));
      continue;
    }
    ++exact;
    CHECK(cost.dram_reads_a == rows.integer(row, "dram_reads_A"));
    CHECK(cost.dram_reads_b == rows.integer(row, "dram_reads_B"));
    CHECK(cost.dram_reads_z == rows.integer(row, "dram_reads_Z"));
    CHECK(cost.dram_updates_z == rows.integer(row, "dram_updates_Z"));
    CHECK(cost.buffer_reads_a == rows.integer(row, "buffer_reads_A"));
    CHECK(cost.buffer_reads_b == rows.integer(row, "buffer_reads_B"));
    CHECK(cost.buffer_updates_z == rows.integer(row, "buffer_updates_Z"));
    const auto check = [&](double joule, const char* column) {
      CAPTURE(column);
      CHECK(fj_per_mac(joule) == Approx(rows.real(row, column)).margin(0.00501));
    };
    check(cost.mac_energy, "fJ_MACs");
    check(cost.register_energy, "fJ_Registers");
    check(cost.accumulator_energy, "fJ_AccBuffer");
    check(cost.buffer_energy, "fJ_Buffer");
    check(cost.dram_energy, "fJ_DRAM");
    check(cost.energy(), "fJ_per_MAC_total");
  }
  CHECK(exact > 40);
}

TEST_CASE("no Timeloop row has fewer cycles, or less energy in as many cycles") {
  const test::Reference rows("results/reference/gemm/timeloop.csv");
  Mapper mapper;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"));
    const Gemm gemm{rows.integer(row, "M"), rows.integer(row, "N"), rows.integer(row, "K")};
    const Engine engine = test::timeloop_engine(rows.real(row, "dram_words_per_cycle"));
    const std::int64_t cycles = rows.integer(row, "cycles");
    const double energy = rows.real(row, "fJ_per_MAC_total") * 1e-15 * static_cast<double>(gemm.m * gemm.n * gemm.k);
    const auto fastest = mapper(gemm, engine, Objective::cycles_then_energy);
    REQUIRE(fastest.has_value());
    CHECK(fastest->cost.cycles <= cycles);
    const auto thriftiest = mapper(gemm, engine, Objective::energy_then_cycles, cycles);
    REQUIRE(thriftiest.has_value());
    CHECK(thriftiest->cost.cycles <= cycles);
    // The reference prints six digits.
    CHECK(thriftiest->cost.energy() <= energy * (1 + 1e-5));
  }
}
