#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "../reference.h"
#include "engines.h"
#include "hardware/mapper/mapper.h"

using namespace pimsweep;
using namespace pimsweep::hardware;
using namespace pimsweep::hardware::mapper;

namespace {

/// A mapping as Timeloop prints it: "L3[ABZ] N7 - L2[ABZ] K4 N7X - L1[Z] M7 K8Y - L0[B] M7". X and Y are spatial,
/// "N7;1" is a loop whose last round takes 1.
struct Printed {
  Mapping mapping;
  bool ragged = false;
};

Printed parse(const std::string& text, const Gemm& gemm) {
  Printed printed;
  Mapping& m = printed.mapping;
  m.used_rows = m.used_cols = m.strip = 1;
  std::array<Gemm, 2> trips{Gemm{1, 1, 1}, Gemm{1, 1, 1}};
  std::array<LoopOrder*, 2> orders{&m.dram_order, &m.buffer_order};
  int level = 3;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word[0] == 'L') level = word[1] - '0';
    if (word[0] == 'L' || word[0] == '-') continue;
    const std::int64_t count = std::stoll(word.substr(1));
    printed.ragged = printed.ragged || word.find(';') != std::string::npos;
    if (word.back() == 'X') {
      m.used_cols = count;
    } else if (word.back() == 'Y') {
      m.used_rows = count;
    } else if (level < 2) {
      m.strip *= count;
    } else {
      const auto loop = std::string("MNK").find(word[0]);
      Gemm& size = trips[static_cast<std::size_t>(3 - level)];
      (loop == 0 ? size.m : loop == 1 ? size.n : size.k) = count;
      // What is printed later lies further in.
      LoopOrder& order = *orders[static_cast<std::size_t>(3 - level)];
      const auto at = std::find(order.begin(), order.end(), static_cast<Loop>(loop));
      std::rotate(at, at + 1, order.end());
    }
  }
  m.tile = {std::min(trips[1].m * m.strip, gemm.m), std::min(trips[1].n * m.used_cols, gemm.n),
            std::min(trips[1].k * m.used_rows, gemm.k)};
  return printed;
}

}  // namespace

TEST_CASE("the cost model gives Timeloop's numbers for Timeloop's own mappings") {
  const test::Reference rows("results/reference/gemm/timeloop.csv");
  std::size_t exact = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"), rows.text(row, "best_mapping"));
    const Gemm gemm{rows.integer(row, "M"), rows.integer(row, "N"), rows.integer(row, "K")};
    const Engine engine = test::timeloop_engine(rows.real(row, "dram_words_per_cycle"));
    const Printed printed = parse(rows.text(row, "best_mapping"), gemm);
    REQUIRE(is_possible(printed.mapping, gemm, engine));
    const Cost cost = cost_of(printed.mapping, gemm, engine);
    CHECK(cost.compute_cycles == rows.integer(row, "compute_cycles"));
    const auto fj_per_mac = [&](double joule) { return joule * 1e15 / static_cast<double>(cost.macs); };
    if (printed.ragged) {
      // Timeloop pads what it moves, and takes means over ragged rounds for whole numbers.
      CHECK(cost.cycles <= rows.integer(row, "cycles"));
      CHECK(fj_per_mac(cost.energy()) == Approx(rows.real(row, "fJ_per_MAC_total")).epsilon(0.07));
      continue;
    }
    ++exact;
    CHECK(cost.cycles == rows.integer(row, "cycles"));
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
