#include "hardware/pe_array/gemm_mapper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::pe_array {

namespace {

struct Tiling {
  std::int64_t words = std::numeric_limits<std::int64_t>::max();
  Gemm tile;
  Stationary stationary = Stationary::everything;

  void offer(std::int64_t new_words, const Gemm& new_tile, Stationary new_stationary) {
    if (new_words < words) *this = {new_words, new_tile, new_stationary};
  }
};

/// The largest tile size up to `limit` that is a multiple of `unit` or the whole dimension; 0 if there is none.
std::int64_t align_down(std::int64_t limit, std::int64_t unit, std::int64_t whole) {
  return limit >= whole ? whole : std::max<std::int64_t>(limit, 0) / unit * unit;
}

/// Calls visit(tile, tiles) for each number of tiles that a dimension of `whole` words can be cut into, with the
/// smallest aligned tile for that number, from one tile upward, until visit returns false.
template <class Visit>
void for_each_cut(std::int64_t whole, std::int64_t unit, Visit visit) {
  const std::int64_t units = ceil_div(whole, unit);
  for (std::int64_t step = units; step > 0;) {
    const std::int64_t tiles = ceil_div(units, step);
    const std::int64_t min_units = ceil_div(units, tiles);
    if (!visit(std::min(min_units * unit, whole), tiles)) return;
    step = min_units - 1;
  }
}

/// The tiling with the fewest DRAM words. The innermost loop determines the traffic, whatever the order of the two
/// outer loops: the operand without its index moves once, each other operand once for every tile of the index that it
/// does not have (Z is also read back in every pass except the first). The tile of the innermost index only takes up
/// space and is best as small as the array allows, which leaves one free size: the largest that fits together with the
/// other one.
Tiling fewest_words(const Gemm& g, std::int64_t rows, std::int64_t cols, std::int64_t buffer) {
  const Count a = Count{g.m} * g.k;
  const Count b = Count{g.k} * g.n;
  const Count z = Count{g.m} * g.n;
  if (a + b + z <= buffer) return {a + b + z, g, Stationary::everything};

  Tiling best;
  const std::int64_t min_k = std::min(rows, g.k);
  const std::int64_t min_n = std::min(cols, g.n);
  for_each_cut(g.m, 1, [&](std::int64_t m, std::int64_t m_tiles) {
    if (a + z + b * m_tiles >= best.words) return false;
    const std::int64_t n = align_down((buffer - Count{m} * min_k) / (min_k + m), cols, g.n);
    if (n >= min_n) best.offer(z + a * ceil_div(g.n, n) + b * m_tiles, {m, n, min_k}, Stationary::z);
    const std::int64_t k = align_down((buffer - Count{m} * min_n) / (min_n + m), rows, g.k);
    if (k >= min_k) best.offer(a + b * m_tiles + z * (Count{2} * ceil_div(g.k, k) - 1), {m, min_n, k}, Stationary::a);
    return true;
  });
  for_each_cut(g.n, cols, [&](std::int64_t n, std::int64_t n_tiles) {
    if (b + z + a * n_tiles >= best.words) return false;
    const std::int64_t k = align_down((buffer - n) / (n + 1), rows, g.k);
    if (k >= min_k) best.offer(b + a * n_tiles + z * (Count{2} * ceil_div(g.k, k) - 1), {1, n, k}, Stationary::b);
    return true;
  });
  return best;
}

std::int64_t dram_cycles(std::int64_t words, const PeArray& array) {
  return Count::of(std::ceil(static_cast<double>(words) / array.dram_words_per_cycle));
}

GemmMapping map_on(const Gemm& gemm, const PeArray& array, std::int64_t rows, std::int64_t cols) {
  const Tiling tiling = fewest_words(gemm, rows, cols, array.buffer_words);
  GemmMapping mapping;
  mapping.tile = tiling.tile;
  mapping.stationary = tiling.stationary;
  mapping.used_rows = rows;
  mapping.used_cols = cols;
  mapping.compute_cycles = Count{gemm.m} * ceil_div(gemm.k, rows) * ceil_div(gemm.n, cols);
  mapping.dram_words = tiling.words;
  mapping.cycles = std::max(mapping.compute_cycles, dram_cycles(tiling.words, array));
  return mapping;
}

}  // namespace

std::string_view name_of(Stationary stationary) {
  switch (stationary) {
    case Stationary::a:
      return "A stationary";
    case Stationary::b:
      return "B stationary";
    case Stationary::z:
      return "Z stationary";
    case Stationary::everything:
      break;
  }
  return "all in the buffer";
}

GemmMapping map_gemm(const Gemm& gemm, const PeArray& array) {
  if (gemm.m < 1 || gemm.n < 1 || gemm.k < 1 || array.rows < 1 || array.cols < 1) {
    throw std::invalid_argument("GEMM mapper: the sizes of a GEMM and of the array must be positive");
  }
  if (!(array.dram_words_per_cycle > 0)) {
    throw std::invalid_argument("GEMM mapper: the DRAM bandwidth must be positive");
  }
  if (array.buffer_words < array.min_buffer_words()) {
    throw std::invalid_argument("GEMM mapper: the buffer cannot hold one tile of the PE array");
  }
  GemmMapping best = map_on(gemm, array, array.rows, array.cols);
  const std::int64_t compulsory = Count{gemm.m} * gemm.k + Count{gemm.k} * gemm.n + Count{gemm.m} * gemm.n;
  const std::int64_t bound = std::max(best.compute_cycles, dram_cycles(compulsory, array));
  // Tiles for a part of the array may fit the buffer better; that helps only where DRAM is the limit.
  for (std::int64_t rows = array.rows; rows > 0 && best.cycles > bound; --rows) {
    if (gemm.m * ceil_div(gemm.k, rows) * ceil_div(gemm.n, array.cols) >= best.cycles) break;
    for (std::int64_t cols = array.cols; cols > 0 && best.cycles > bound; --cols) {
      if (gemm.m * ceil_div(gemm.k, rows) * ceil_div(gemm.n, cols) >= best.cycles) break;
      const GemmMapping mapping = map_on(gemm, array, rows, cols);
      if (mapping.cycles < best.cycles) best = mapping;
    }
  }
  return best;
}

}  // namespace pimsweep::hardware::pe_array
