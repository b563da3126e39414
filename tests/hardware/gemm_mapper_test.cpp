#include "hardware/pe_array/gemm_mapper.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "hardware/integer_math.h"
#include "reference.h"

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep::hardware;
using namespace pimsweep;

namespace {

/// DRAM words of one loop nest, counted loop by loop: an operand is fetched again for every iteration of every loop
/// outside of its innermost relevant one that really loops.
std::int64_t words_of(const Gemm& g, const Gemm& tile, const std::array<int, 3>& outer_to_inner) {
  const std::array<std::int64_t, 3> trips{ceil_div(g.m, tile.m), ceil_div(g.n, tile.n), ceil_div(g.k, tile.k)};
  const auto fetches = [&](int irrelevant) {
    std::int64_t repeats = 1;
    bool inside = false;
    for (int level = 2; level >= 0; --level) {
      const int loop = outer_to_inner[static_cast<std::size_t>(level)];
      const std::int64_t count = trips[static_cast<std::size_t>(loop)];
      if (loop != irrelevant) {
        inside = inside || count > 1;
      } else if (inside) {
        repeats *= count;
      }
    }
    return repeats;
  };
  return g.m * g.k * fetches(1) + g.k * g.n * fetches(0) + g.m * g.n * (2 * fetches(2) - 1);
}

bool allowed(std::int64_t size, std::int64_t unit, std::int64_t whole) { return size == whole || size % unit == 0; }

std::int64_t cycles_by_enumeration(const Gemm& g, const PeArray& array) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t rows = 1; rows <= array.rows; ++rows) {
    for (std::int64_t cols = 1; cols <= array.cols; ++cols) {
      const std::int64_t compute = g.m * ceil_div(g.k, rows) * ceil_div(g.n, cols);
      for (std::int64_t m = 1; m <= g.m; ++m) {
        for (std::int64_t n = 1; n <= g.n; ++n) {
          for (std::int64_t k = 1; k <= g.k; ++k) {
            if (!allowed(n, cols, g.n) || !allowed(k, rows, g.k)) continue;
            if (m * k + k * n + m * n > array.buffer_words) continue;
            std::array<int, 3> order{0, 1, 2};
            do {
              const auto words = static_cast<double>(words_of(g, {m, n, k}, order));
              const auto dram = static_cast<std::int64_t>(std::ceil(words / array.dram_words_per_cycle));
              best = std::min(best, std::max(compute, dram));
            } while (std::next_permutation(order.begin(), order.end()));
          }
        }
      }
    }
  }
  return best;
}

Gemm random_gemm(std::mt19937& random, int most) {
  std::uniform_int_distribution<std::int64_t> size(1, most);
  return {size(random), size(random), size(random)};
}

}  // namespace

TEST_CASE("no Timeloop mapping needs fewer cycles") {
  const pimsweep::test::Reference reference("results/reference/gemm/timeloop.csv");
  REQUIRE(reference.size() > 40);
  for (std::size_t row = 0; row < reference.size(); ++row) {
    const Gemm gemm{reference.integer(row, "M"), reference.integer(row, "N"), reference.integer(row, "K")};
    const PeArray array{8, 8, 49152, reference.real(row, "dram_words_per_cycle")};
    const GemmMapping mapping = map_gemm(gemm, array);
    INFO("case " << reference.text(row, "case_id"));
    CHECK(mapping.cycles <= reference.integer(row, "cycles"));
    // Timeloop's own counting rule holds for its rows, so that the two numbers mean the same.
    const std::int64_t words = reference.integer(row, "dram_reads_A") + reference.integer(row, "dram_reads_B") +
                               reference.integer(row, "dram_reads_Z") + reference.integer(row, "dram_updates_Z");
    CHECK(reference.integer(row, "cycles") ==
          std::max(reference.integer(row, "compute_cycles"),
                   static_cast<std::int64_t>(std::ceil(static_cast<double>(words) / array.dram_words_per_cycle))));
  }
}

TEST_CASE("the mapper finds what enumerating every tile and loop order finds") {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> side(1, 4);
  std::uniform_int_distribution<std::int64_t> spare(0, 60);
  std::uniform_int_distribution<int> bandwidth(1, 12);
  for (int round = 0; round < 120; ++round) {
    const Gemm gemm = random_gemm(random, 13);
    PeArray array{side(random), side(random), 0, bandwidth(random) / 4.0};
    array.buffer_words = array.min_buffer_words() + spare(random);
    INFO("Z[" << gemm.m << "," << gemm.n << "], k " << gemm.k << " on " << array.rows << "x" << array.cols
              << ", buffer " << array.buffer_words << ", " << array.dram_words_per_cycle << " words per cycle");
    REQUIRE(map_gemm(gemm, array).cycles == cycles_by_enumeration(gemm, array));
  }
}

TEST_CASE("the mapping returned is consistent: it fits, and its tile gives its DRAM words") {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const Gemm gemm = random_gemm(random, 700);
    const PeArray array{8, 8, 4096, 4};
    const GemmMapping mapping = map_gemm(gemm, array);
    const Gemm& tile = mapping.tile;
    REQUIRE(tile.m * tile.k + tile.k * tile.n + tile.m * tile.n <= array.buffer_words);
    std::array<int, 3> order{0, 1, 2};
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    do {
      least = std::min(least, words_of(gemm, tile, order));
    } while (std::next_permutation(order.begin(), order.end()));
    REQUIRE(mapping.dram_words == least);
    REQUIRE(mapping.compute_cycles ==
            gemm.m * ceil_div(gemm.k, mapping.used_rows) * ceil_div(gemm.n, mapping.used_cols));
  }
}

TEST_CASE("a larger array, a larger buffer and a faster DRAM never cost cycles") {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int64_t> side(1, 12);
  std::uniform_int_distribution<std::int64_t> spare(0, 2000);
  std::uniform_real_distribution<double> bandwidth(0.25, 20);
  for (int round = 0; round < 1000; ++round) {
    const Gemm gemm = random_gemm(random, 300);
    PeArray array{side(random), side(random), 0, bandwidth(random)};
    array.buffer_words = 500 + spare(random);
    const std::int64_t cycles = map_gemm(gemm, array).cycles;
    PeArray taller = array;
    taller.rows += side(random);
    CHECK(map_gemm(gemm, taller).cycles <= cycles);
    PeArray wider = array;
    wider.cols += side(random);
    CHECK(map_gemm(gemm, wider).cycles <= cycles);
    PeArray roomier = array;
    roomier.buffer_words += spare(random);
    CHECK(map_gemm(gemm, roomier).cycles <= cycles);
    PeArray faster = array;
    faster.dram_words_per_cycle *= 1.5;
    CHECK(map_gemm(gemm, faster).cycles <= cycles);
    const double least = static_cast<double>(gemm.m * gemm.k + gemm.k * gemm.n + gemm.m * gemm.n);
    CHECK(static_cast<double>(cycles) * array.dram_words_per_cycle >= least);
    CHECK(cycles * array.pes() >= gemm.m * gemm.k * gemm.n);
  }
}

TEST_CASE("the mapper refuses what has no meaning") {
  const PeArray array{8, 8, 49152, 16};
  CHECK_THROWS_AS(map_gemm({0, 1, 1}, array), std::invalid_argument);
  CHECK_THROWS_AS(map_gemm({1, 1, 1}, {8, 8, 79, 16}), std::invalid_argument);
  CHECK_THROWS_AS(map_gemm({1, 1, 1}, {8, 8, 49152, 0}), std::invalid_argument);
  CHECK_THROWS_AS(map_gemm({1, 1, 1}, {0, 8, 49152, 1}), std::invalid_argument);
}
