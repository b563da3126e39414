#include "hardware/pe_array/mapper/mapper.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "engines.h"
#include "hardware/pe_array/mapper/notation.h"

using namespace pimsweep::hardware::pe_array::mapper;
using namespace pimsweep::hardware::pe_array;
using namespace pimsweep;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(bits_);
  }
  LoopOrder order() {
    LoopOrder loops{Loop::m, Loop::n, Loop::k};
    std::shuffle(loops.begin(), loops.end(), bits_);
    return loops;
  }
  Gemm gemm(std::int64_t most) { return {(*this)(1, most), (*this)(1, most), (*this)(1, most)}; }
  /// With buffers that seldom hold everything and any of the limits binding.
  Engine engine(std::int64_t max_words) {
    Engine engine;
    engine.rows = (*this)(1, 3);
    engine.cols = (*this)(1, 3);
    engine.accumulator_words = (*this)(1, 4);
    engine.buffer_words = (*this)(3, max_words);
    engine.line_words = (*this)(1, 4);
    engine.dram_words_per_cycle = static_cast<double>((*this)(0, 12)) / 4;
    engine.buffer_words_per_cycle = static_cast<double>((*this)(0, 8)) / 2;
    const auto energy = [&] { return static_cast<double>((*this)(0, 20)); };
    engine.energy = {energy(), energy(), energy(), energy(), energy()};
    return engine;
  }

 private:
  std::mt19937 bits_;
};

std::int64_t& at(Gemm& gemm, Loop loop) { return loop == Loop::m ? gemm.m : loop == Loop::n ? gemm.n : gemm.k; }

/// Runs the loops of both levels one by one and counts how often each place is given another tile or step.
Repeats by_walking(const Gemm& tiles, const Gemm& steps, const Mapping& mapping) {
  std::array<std::pair<std::int64_t, std::int64_t>, 5> held;
  held.fill({-1, -1});
  std::array<std::int64_t, 5> changes{};
  const auto hold = [&](std::size_t place, std::int64_t first, std::int64_t second) {
    if (held[place] == std::pair{first, second}) return;
    held[place] = {first, second};
    ++changes[place];
  };
  const auto for_all = [](const LoopOrder& order, Gemm counts, const auto& visit) {
    Gemm i;
    for (at(i, order[0]) = 0; at(i, order[0]) < at(counts, order[0]); ++at(i, order[0])) {
      for (at(i, order[1]) = 0; at(i, order[1]) < at(counts, order[1]); ++at(i, order[1])) {
        for (at(i, order[2]) = 0; at(i, order[2]) < at(counts, order[2]); ++at(i, order[2])) visit(i);
      }
    }
  };
  for_all(mapping.dram_order, tiles, [&](const Gemm& t) {
    hold(0, t.m, t.k);
    hold(1, t.k, t.n);
    hold(2, t.m, t.n);
    for_all(mapping.buffer_order, steps, [&](const Gemm& s) {
      const Gemm at_all{t.m * steps.m + s.m, t.n * steps.n + s.n, t.k * steps.k + s.k};
      hold(3, at_all.k, at_all.n);
      hold(4, at_all.m, at_all.n);
    });
  });
  return {changes[0] / (tiles.m * tiles.k), changes[1] / (tiles.k * tiles.n), changes[2] / (tiles.m * tiles.n),
          changes[3] / (tiles.k * steps.k * tiles.n * steps.n), changes[4] / (tiles.m * steps.m * tiles.n * steps.n)};
}

/// The best of all mappings, each one costed.
std::optional<Cost> by_enumeration(const Gemm& gemm, const Engine& engine, Objective objective, std::int64_t most) {
  const auto key = [&](const Cost& cost) {
    const auto cycles = static_cast<double>(cost.cycles);
    if (objective == Objective::cycles_then_energy) return std::pair{cycles, cost.energy()};
    if (objective == Objective::energy_then_cycles) return std::pair{cost.energy(), cycles};
    return std::pair{cycles * cost.energy(), cycles};
  };
  std::optional<Cost> best;
  Mapping m;
  const auto try_orders = [&] {
    if (!is_possible(m, gemm, engine)) return;
    m.dram_order = {Loop::m, Loop::n, Loop::k};
    do {
      m.buffer_order = {Loop::m, Loop::n, Loop::k};
      do {
        const Cost cost = cost_of(m, gemm, engine);
        if (cost.cycles <= most && (!best || key(cost) < key(*best))) best = cost;
      } while (std::next_permutation(m.buffer_order.begin(), m.buffer_order.end()));
    } while (std::next_permutation(m.dram_order.begin(), m.dram_order.end()));
  };
  for (m.used_rows = 1; m.used_rows <= engine.rows; ++m.used_rows) {
    for (m.used_cols = 1; m.used_cols <= engine.cols; ++m.used_cols) {
      for (m.tile.m = 1; m.tile.m <= gemm.m; ++m.tile.m) {
        for (m.tile.n = 1; m.tile.n <= gemm.n; ++m.tile.n) {
          for (m.tile.k = 1; m.tile.k <= gemm.k; ++m.tile.k) {
            for (m.strip = 1; m.strip <= engine.accumulator_words; ++m.strip) try_orders();
          }
        }
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE("repeats are those of the loops run one by one") {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    const Gemm tiles = random.gemm(3);
    const Gemm steps = random.gemm(3);
    const Gemm step = random.gemm(2);
    const Gemm tile{steps.m * step.m, steps.n * step.n, steps.k * step.k};
    const Gemm gemm{tiles.m * tile.m, tiles.n * tile.n, tiles.k * tile.k};
    const Mapping mapping{tile, step.m, step.k, step.n, random.order(), random.order()};
    CAPTURE(to_text(mapping, gemm));
    const Repeats ours = repeats_of(mapping, gemm);
    const Repeats walked = by_walking(tiles, steps, mapping);
    REQUIRE(std::array{ours.a, ours.b, ours.z, ours.weights, ours.sums} ==
            std::array{walked.a, walked.b, walked.z, walked.weights, walked.sums});
    const Mapping read = parse_mapping(to_text(mapping, gemm), gemm);
    REQUIRE(read.tile == mapping.tile);
    REQUIRE(to_text(read, gemm) == to_text(mapping, gemm));
  }
}

TEST_CASE("an invalid mapping is refused with its position") {
  const auto refuses = [](const char* text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_mapping(text, {49, 49, 32}), Catch::Contains(message));
  };
  CHECK(parse_mapping("L3[ABZ] N7 - L2[ABZ] K4 N7X - L1[Z] M7 K8Y - L0[B] M7", {49, 49, 32}).tile == Gemm{49, 7, 32});
  refuses("", "column 1: expected 'L3[ABZ]', got 'end'");
  refuses("L3[ABZ] N7 - L1[Z]", "column 14: expected 'L2[ABZ]', got 'L1[Z]'");
  refuses("L3[ABZ] Q7 - L2[ABZ]", "column 9: expected a loop M, N or K");
  refuses("L3[ABZ] N0", "expected a loop");
  refuses("L3[ABZ] N99999999999999999999", "expected a loop");
  refuses("L3[ABZ] N7;8", "a last round");
  refuses("L3[ABZ] N7 M7 N7", "a level loops once");
  refuses("L3[ABZ] N7X", "only N of L2");
  refuses("L3[ABZ] - L2[ABZ] - L1[Z] N7", "accumulators and registers");
  refuses("L3[ABZ] N6 - L2[ABZ] K4 N7X - L1[Z] M7 K8Y - L0[B] M7", "6 rounds of tiles of 7 do not cover N = 49");
  refuses("L3[ABZ] - L2[ABZ] - L1[Z] - L0[B] - L0[B]", "expected the end");
}

TEST_CASE("the mapper finds what enumerating every mapping finds") {
  Random random(7);
  Mapper mapper;
  std::map<Objective, int> found;
  for (int round = 0; round < 90; ++round) {
    Gemm gemm = random.gemm(round % 3 == 0 ? 7 : 5);
    if (round % 5 == 0) gemm.stored_a = random(1, gemm.m * gemm.k);
    const Engine engine = random.engine(3 * std::max({gemm.m * gemm.k, gemm.k * gemm.n, gemm.m * gemm.n}));
    const auto objective = static_cast<Objective>(round % 3);
    const std::int64_t least = gemm.m * gemm.n * gemm.k / engine.pes();
    const std::int64_t most = round % 2 == 0 ? any_cycles : random(least, 3 * least + 3);
    CAPTURE(round, gemm.m, gemm.n, gemm.k, engine.rows, engine.cols, engine.accumulator_words, engine.buffer_words,
            most);
    const auto best = by_enumeration(gemm, engine, objective, most);
    const auto ours = mapper(gemm, engine, objective, most);
    REQUIRE(ours.has_value() == best.has_value());
    if (!best) continue;
    ++found[objective];
    CHECK(is_possible(ours->mapping, gemm, engine));
    const auto same = [&](double a, double b) { CHECK(a == Approx(b).epsilon(1e-12)); };
    if (objective == Objective::energy_delay_product) {
      same(static_cast<double>(ours->cost.cycles) * ours->cost.energy(),
           static_cast<double>(best->cycles) * best->energy());
    } else {
      same(ours->cost.energy(), best->energy());
      CHECK(ours->cost.cycles == best->cycles);
    }
  }
  for (const auto& [objective, times] : found) CHECK(times > 15);
  CHECK(found.size() == 3);
}

TEST_CASE("more of anything never costs cycles, nor energy") {
  Random random(11);
  Mapper mapper;
  for (int round = 0; round < 150; ++round) {
    const Gemm gemm = random.gemm(300);
    Engine engine = random.engine(4000);
    engine.buffer_words += 100;
    for (const Objective objective : {Objective::cycles_then_energy, Objective::energy_then_cycles}) {
      const auto value = [&](const Engine& on) {
        const Cost cost = mapper(gemm, on, objective)->cost;
        CHECK(cost.dram_words() >= gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n);
        CHECK(cost.cycles * on.pes() >= gemm.m * gemm.n * gemm.k);
        return objective == Objective::cycles_then_energy ? static_cast<double>(cost.cycles) : cost.energy();
      };
      const double before = value(engine) * (1 + 1e-12);
      for (const auto more :
           {+[](Engine& e) { ++e.rows; }, +[](Engine& e) { ++e.cols; }, +[](Engine& e) { e.buffer_words += 500; },
            +[](Engine& e) { ++e.accumulator_words; }, +[](Engine& e) { e.dram_words_per_cycle *= 1.5; },
            +[](Engine& e) { e.buffer_words_per_cycle *= 1.5; }}) {
        Engine larger = engine;
        more(larger);
        CHECK(value(larger) <= before);
      }
    }
  }
}

TEST_CASE("a mapping that is too slow for the limit is not given") {
  Mapper mapper;
  const Engine engine = test::timeloop_engine(16);
  const std::int64_t fewest = mapper({49, 288, 96}, engine, Objective::cycles_then_energy)->cost.cycles;
  CHECK(mapper({49, 288, 96}, engine, Objective::energy_then_cycles, fewest).has_value());
  CHECK(!mapper({49, 288, 96}, engine, Objective::energy_then_cycles, fewest - 1).has_value());
}

TEST_CASE("the mapper refuses what has no meaning") {
  Mapper mapper;
  const auto refuses = [&](const Gemm& gemm, auto spoil) {
    Engine engine = test::timeloop_engine(16);
    spoil(engine);
    CHECK_THROWS_AS(mapper(gemm, engine, Objective::cycles_then_energy), std::invalid_argument);
  };
  refuses({0, 1, 1}, [](Engine&) {});
  refuses({2, 3, 4, 9}, [](Engine&) {});
  refuses({1, 1, 1}, [](Engine& e) { e.rows = 0; });
  refuses({1, 1, 1}, [](Engine& e) { e.accumulator_words = 0; });
  refuses({1, 1, 1}, [](Engine& e) { e.dram_words_per_cycle = -1; });
  refuses({1, 1, 1}, [](Engine& e) { e.energy.mac = std::numeric_limits<double>::quiet_NaN(); });
  // One word of each operand is the least that a buffer must hold.
  Engine engine = test::timeloop_engine(16);
  engine.buffer_words = 2;
  CHECK(!mapper({1, 1, 1}, engine, Objective::cycles_then_energy).has_value());
}
