#pragma once

#include <optional>
#include <string>

#include "hardware/pe_array/network.h"
#include "systems/parts/gemm_point.h"

namespace pimsweep::systems::parts {

/// A GEMM, or several, on the array of a point.
struct GemmRun {
  hardware::pe_array::mapper::Cost cost;
  /// Counts of a systolic array.
  std::optional<hardware::pe_array::SystolicCost> counts;
  /// Mapping of an NVDLA-style engine.
  std::optional<hardware::pe_array::mapper::Mapping> mapping;
};

/// Reads from a point how large and how costly the memories are, in the engine's words. Throws PointError.
void complete(GemmSettings& settings);

/// Runs a GEMM; nullopt if no mapping is possible. A systolic array has metrics beyond SCALE-Sim's: DRAM words, cycles
/// under a bandwidth and energy. Each operand crosses DRAM once, independent of the SRAM's capacity; partial sums that
/// go back into the array are read from SRAM; a multiply-accumulate touches a register for each of its three operands.
/// Throws PointError if counts would exceed 64 bits, or for a given mapping that is not possible.
std::optional<GemmRun> run_gemm(const GemmSettings& settings, const hardware::pe_array::Gemm& gemm,
                                hardware::pe_array::mapper::Mapper& mapper);

/// An operator on the vector unit, which takes the larger of the words that it reads and writes, for each word the
/// energy of a multiply-accumulate.
hardware::pe_array::mapper::Cost vector_cost(const GemmSettings& settings,
                                             const hardware::pe_array::NetworkLayer& layer);

/// Adds `times` runs, one after another, to a sum. Throws OverflowError.
void add_run(GemmRun& sum, const GemmRun& run, std::int64_t times);

/// Metrics of one GEMM or of a sum of `runs`.
void put_cost(const hardware::pe_array::mapper::Cost& cost, const GemmSettings& settings, GemmResult& result);
void put_run(const GemmRun& run, const GemmSettings& settings, GemmResult& result);

/// Why run_gemm() found no mapping.
std::string no_mapping(const GemmSettings& settings);

}  // namespace pimsweep::systems::parts
