#pragma once

#include "hardware/pe_array/mapper/engine.h"

namespace pimsweep::test {

/// The engine of results/reference/gemm/timeloop.csv, energies from its own columns (in J; configs/hardware has the
/// same numbers).
inline hardware::pe_array::mapper::Engine timeloop_engine(double dram_words_per_cycle) {
  hardware::pe_array::mapper::Engine engine;
  engine.rows = engine.cols = 8;
  engine.accumulator_words = 64;
  engine.buffer_words = 49152;
  engine.line_words = 16;
  engine.dram_words_per_cycle = dram_words_per_cycle;
  engine.energy = {0.25e-12, 0.487461e-12, 0.4890075e-12, 27.09548e-12, 84.48e-12};
  return engine;
}

}  // namespace pimsweep::test
