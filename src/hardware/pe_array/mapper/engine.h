#pragma once

#include <cstdint>

namespace pimsweep::hardware::pe_array::mapper {

/// An NVDLA-style engine for GEMMs Z[m, n] = A[m, k] x B[k, n], with four levels of memory:
///
///     DRAM -> one buffer (tiles of A, B and Z) -> cols accumulator buffers (strips of Z)
///          -> rows PEs behind each of them, with a register for one word of B
///
/// K is spread over the rows, whose products are summed along the column, and N over the columns; each cycle takes one
/// row of A. All words have the same size; energies are in J.
struct Engine {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Words of one accumulator buffer.
  std::int64_t accumulator_words = 0;
  /// Capacity in words for the tiles of A, B and Z together.
  std::int64_t buffer_words = 0;
  /// Words per access of the buffer or of DRAM.
  std::int64_t line_words = 1;
  /// Reads and writes together; 0 for no limit.
  double dram_words_per_cycle = 0;
  double buffer_words_per_cycle = 0;

  struct Energy {
    double mac = 0;
    double register_word = 0;
    double accumulator_word = 0;
    double buffer_line = 0;
    double dram_line = 0;
  } energy;

  std::int64_t pes() const { return rows * cols; }
};

}  // namespace pimsweep::hardware::pe_array::mapper
