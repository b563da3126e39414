#include "hardware/silicon/silicon.h"

#include <catch2/catch.hpp>
#include <random>

using namespace pimsweep::hardware::silicon;
using namespace pimsweep;

namespace {

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

Densities some_densities(std::mt19937_64& random) {
  Densities d;
  d.wafer_cost = 1e4 + 1e5 * uniform(random);
  d.defects = 100 * uniform(random);
  d.complexity = 14 * uniform(random);
  for (double Densities::*area : {&Densities::processor_area, &Densities::unit_area, &Densities::lane_area,
                                  &Densities::sram_area, &Densities::link_area, &Densities::dram_area}) {
    d.*area = 1e-6 * uniform(random);
  }
  d.dram_cost = 1e-9 * uniform(random);
  return d;
}

constexpr double Parts::*kinds[] = {&Parts::processors, &Parts::units,      &Parts::lanes,     &Parts::sram_bytes,
                                    &Parts::link_bytes, &Parts::logic_area, &Parts::dram_bytes};

}  // namespace

TEST_CASE("Nothing takes no silicon, and more of any part never takes less") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const Densities densities = some_densities(random);
    CHECK(estimate({}, densities).area == 0);
    CHECK(estimate({}, densities).cost == 0);
    Parts parts;
    for (double Parts::*kind : kinds) parts.*kind = 10 * uniform(random);
    parts.logic_area *= 1e-5;
    const Estimate before = estimate(parts, densities);
    for (double Parts::*kind : kinds) {
      Parts more = parts;
      more.*kind *= 1 + uniform(random);
      CHECK(estimate(more, densities).area >= before.area);
      CHECK(estimate(more, densities).cost >= before.cost);
    }
  }
}

TEST_CASE("Dies that share the logic cost less than one large die, for the same area") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Densities densities = some_densities(random);
    Parts parts;
    parts.logic_area = 1e-3 * uniform(random);
    const Estimate one = estimate(parts, densities);
    parts.logic_dies = 2 + static_cast<double>(random() % 30);
    const Estimate many = estimate(parts, densities);
    CHECK(many.area == one.area);
    CHECK(many.cost <= one.cost * (1 + 1e-12));
    // Without defects all dies are good, and only the area counts.
    Densities clean = densities;
    clean.defects = 0;
    CHECK(estimate(parts, clean).cost == Approx(parts.logic_area * clean.wafer_cost));
  }
}

TEST_CASE("Dies of 1 cm and 1.5 cm at 0.047 defects for each square centimeter and N = 12") {
  // 1.047^-12 and 1.10575^-12: the worked example of Hennessy and Patterson, 6th edition, Sec. 1.6.
  Densities densities;
  densities.defects = 470;
  densities.complexity = 12;
  CHECK(die_yield(1e-4, densities) == Approx(0.576).margin(5e-4));
  CHECK(die_yield(2.25e-4, densities) == Approx(0.299).margin(5e-4));
}
