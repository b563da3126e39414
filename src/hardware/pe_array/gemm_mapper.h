#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/pe_array/gemm.h"

namespace pimsweep::hardware::pe_array {

/// An NVDLA-style processing engine: rows x cols multipliers, the reduction K spread over the rows and the output
/// channels N over the columns, one row of A per cycle; an SRAM buffer between the array and DRAM.
struct PeArray {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Capacity in words for the tiles of A, B and Z together.
  std::int64_t buffer_words = 0;
  /// Words per cycle between DRAM and buffer, reads and writes together.
  double dram_words_per_cycle = 0;

  std::int64_t pes() const { return rows * cols; }
  friend bool operator==(const PeArray&, const PeArray&) = default;
  /// Words of the smallest tile that keeps the whole array busy; a smaller buffer cannot hold any mapping.
  std::int64_t min_buffer_words() const { return rows + rows * cols + cols; }
};

/// Operand that stays in the buffer during the innermost loop over DRAM tiles.
enum class Stationary : std::uint8_t { a, b, z, everything };
std::string_view name_of(Stationary stationary);

/// Mapping of a GEMM onto a PeArray.
struct GemmMapping {
  /// Tile held in the buffer. Its k and n are multiples of used_rows and used_cols, except at the edge of the matrix.
  Gemm tile;
  Stationary stationary = Stationary::everything;
  std::int64_t used_rows = 0;
  std::int64_t used_cols = 0;
  /// m ceil(k / used_rows) ceil(n / used_cols): a ragged edge costs a full step.
  std::int64_t compute_cycles = 0;
  /// Words read from and written to DRAM, including partial sums that are read back.
  std::int64_t dram_words = 0;
  /// max(compute_cycles, ceil(dram_words / dram_words_per_cycle)): perfect double buffering.
  std::int64_t cycles = 0;
};

/// The mapping with the fewest cycles, then the fewest DRAM words on the part of the array that it uses, over all tile
/// sizes, all orders of the DRAM loops and all parts of the array. Cost model as in Timeloop (Parashar et al., ISPASS
/// 2019): full overlap, no fill or drain. Throws std::invalid_argument if a size is not positive or the buffer is
/// smaller than min_buffer_words().
GemmMapping map_gemm(const Gemm& gemm, const PeArray& array);

}  // namespace pimsweep::hardware::pe_array
