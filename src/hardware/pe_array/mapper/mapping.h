#pragma once

#include <array>
#include <cstdint>

#include "hardware/integer_math.h"
#include "hardware/pe_array/gemm.h"
#include "hardware/pe_array/mapper/engine.h"

namespace pimsweep::hardware::pe_array::mapper {

enum class Loop : std::uint8_t { m, n, k };

/// Three loops, the outermost first.
using LoopOrder = std::array<Loop, 3>;

/// Size of a GEMM along a loop.
constexpr std::int64_t size_of(const Gemm& gemm, Loop loop) {
  return loop == Loop::m ? gemm.m : loop == Loop::n ? gemm.n : gemm.k;
}
/// Number of iterations of a loop over parts.
constexpr std::int64_t trips(const Gemm& whole, const Gemm& part, Loop loop) {
  return ceil_div(size_of(whole, loop), size_of(part, loop));
}

/// A mapping of a GEMM onto an Engine. Every level cuts its tile into whole tiles of the level below; the last one of
/// each loop may be smaller (ragged).
struct Mapping {
  /// Tile held in the buffer: n is a multiple of used_cols and k of used_rows, or the whole dimension.
  Gemm tile;
  /// Rows of Z that an accumulator buffer holds while they are summed.
  std::int64_t strip = 0;
  std::int64_t used_rows = 0;
  std::int64_t used_cols = 0;
  /// Loops over tiles, between DRAM and buffer.
  LoopOrder dram_order{Loop::m, Loop::n, Loop::k};
  /// Loops over strips and steps of a tile, between buffer and PEs.
  LoopOrder buffer_order{Loop::m, Loop::n, Loop::k};

  /// Part processed at a time by the loops between buffer and PEs.
  Gemm step() const { return {strip, used_cols, used_rows}; }
};

/// True if the mapping fits the sizes of the GEMM, whole tiles and the memories of the engine.
bool is_possible(const Mapping& mapping, const Gemm& gemm, const Engine& engine);

/// Number of times that whole operands move between two levels. An operand moves once for each iteration of the loops
/// over the index that it does not have, unless no loop over one of its own indices runs inside of them. A loop with
/// one iteration does not count; ragged tiles have the loops of whole ones.
struct Repeats {
  /// A and B into the buffer, Z out of it.
  std::int64_t a = 1;
  std::int64_t b = 1;
  std::int64_t z = 1;
  /// B from the buffer into the registers.
  std::int64_t weights = 1;
  /// Sums from the accumulators into the buffer.
  std::int64_t sums = 1;
};

Repeats repeats_of(const Mapping& mapping, const Gemm& gemm);

/// Words, cycles and energy of a mapping, counted as in Timeloop (Parashar et al., ISPASS 2019): everything overlaps,
/// no fill or drain. Words moved are not padded at ragged edges; steps are.
struct Cost {
  std::int64_t macs = 0;
  std::int64_t register_words = 0;
  std::int64_t accumulator_words = 0;
  /// Words between DRAM and buffer; reads of Z are partial sums that are read back.
  std::int64_t dram_reads_a = 0;
  std::int64_t dram_reads_b = 0;
  std::int64_t dram_reads_z = 0;
  std::int64_t dram_updates_z = 0;
  /// Words of A written into the buffer: m k for each time that the stored words are read.
  std::int64_t buffer_fills_a = 0;
  /// Likewise k n of B.
  std::int64_t buffer_fills_b = 0;
  /// Words between buffer and PEs.
  std::int64_t buffer_reads_a = 0;
  std::int64_t buffer_reads_b = 0;
  std::int64_t buffer_reads_z = 0;
  std::int64_t buffer_updates_z = 0;

  /// m ceil(k / used_rows) ceil(n / used_cols).
  std::int64_t compute_cycles = 0;
  /// The maximum of compute, DRAM and buffer cycles.
  std::int64_t cycles = 0;

  double mac_energy = 0;
  double register_energy = 0;
  double accumulator_energy = 0;
  double buffer_energy = 0;
  double dram_energy = 0;

  std::int64_t dram_words() const { return dram_reads_a + dram_reads_b + dram_reads_z + dram_updates_z; }
  std::int64_t buffer_words() const;
  double energy() const { return mac_energy + register_energy + accumulator_energy + buffer_energy + dram_energy; }
};

/// Adds cycles and energy, computed from compute_cycles and the words moved.
void add_cycles_and_energy(Cost& cost, const Engine& engine);

Cost cost_of(const Repeats& repeats, std::int64_t used_rows, std::int64_t used_cols, const Gemm& gemm,
             const Engine& engine);
Cost cost_of(const Mapping& mapping, const Gemm& gemm, const Engine& engine);

/// Cycles to move `words` at a bandwidth; 0 where there is no limit.
std::int64_t transfer_cycles(std::int64_t words, double words_per_cycle);

}  // namespace pimsweep::hardware::pe_array::mapper
