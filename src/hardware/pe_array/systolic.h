#pragma once

#include <cstdint>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/gemm.h"

namespace pimsweep::hardware::pe_array {

/// Operand that stays in the array while the others stream through it.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };

/// Results that SCALE-Sim reports for a GEMM on a systolic array whose memory never stalls it.
struct SystolicCost {
  std::int64_t folds = 0;
  /// Lines of the array's schedule: folds x cycles per fold.
  std::int64_t busy_lines = 0;
  /// "Total Cycles": the index of the last line, counted from 0.
  std::int64_t total_cycles = 0;
  /// Multiply-accumulates / (total_cycles x PEs).
  double utilization = 0;
  /// Mapped elements / (folds x PEs).
  double mapping_efficiency = 0;
  /// mapping_efficiency x the streaming part of a fold, for which SCALE-Sim counts C - 1 cycles too many where an
  /// operand is loaded first.
  double compute_utilization = 0;
  /// Words between SRAM and array: A, B, and Z written once per fold of the reduction.
  std::int64_t ifmap_reads = 0;
  std::int64_t filter_reads = 0;
  std::int64_t ofmap_writes = 0;
  /// As reported by SCALE-Sim: with output stationary, R + C too many for each fold.
  std::int64_t reported_ofmap_writes = 0;
};

/// Closed form of SCALE-Sim (scalesim-project, commit 1d62b68) on a rows x cols array. The dimensions mapped along rows
/// and columns are M and N (output stationary), K and N (weight), K and M (input); the third one, T, is streamed. Folds
/// follow each other without overlap, and a ragged fold costs as much as a full one: T + R + C - 2 cycles, and R more
/// to load a stationary operand. Throws std::invalid_argument if a size is not positive.
constexpr SystolicCost systolic_cost(const Gemm& gemm, Dataflow dataflow, std::int64_t rows, std::int64_t cols) {
  if (gemm.m < 1 || gemm.n < 1 || gemm.k < 1 || rows < 1 || cols < 1) {
    throw std::invalid_argument("systolic array: the sizes of a GEMM and of the array must be positive");
  }
  const std::int64_t along_rows = dataflow == Dataflow::output_stationary ? gemm.m : gemm.k;
  const std::int64_t along_cols = dataflow == Dataflow::input_stationary ? gemm.m : gemm.n;
  const std::int64_t streamed = dataflow == Dataflow::output_stationary   ? gemm.k
                                : dataflow == Dataflow::weight_stationary ? gemm.m
                                                                          : gemm.n;
  const std::int64_t load = dataflow == Dataflow::output_stationary ? 0 : rows;
  const std::int64_t row_folds = ceil_div(along_rows, rows);
  const std::int64_t col_folds = ceil_div(along_cols, cols);
  SystolicCost cost;
  cost.folds = row_folds * col_folds;
  cost.busy_lines = cost.folds * (streamed + rows + cols - 2 + load);
  cost.total_cycles = cost.busy_lines - 1;
  const auto pes = static_cast<double>(rows * cols);
  cost.mapping_efficiency = static_cast<double>(along_rows * along_cols) / (static_cast<double>(cost.folds) * pes);
  const std::int64_t counted = streamed + rows + cols - 2 + (load > 0 ? load + cols - 1 : 0);
  cost.compute_utilization = cost.mapping_efficiency * static_cast<double>(streamed) / static_cast<double>(counted);
  const std::int64_t a = gemm.m * gemm.k;
  const std::int64_t b = gemm.k * gemm.n;
  const std::int64_t z = gemm.m * gemm.n;
  cost.ifmap_reads = dataflow == Dataflow::input_stationary ? a : a * col_folds;
  cost.filter_reads = dataflow == Dataflow::output_stationary   ? b * row_folds
                      : dataflow == Dataflow::weight_stationary ? b
                                                                : b * col_folds;
  cost.ofmap_writes = dataflow == Dataflow::output_stationary ? z : z * row_folds;
  cost.reported_ofmap_writes =
      cost.ofmap_writes + (dataflow == Dataflow::output_stationary ? cost.folds * (rows + cols) : 0);
  if (cost.total_cycles > 0) {
    cost.utilization = static_cast<double>(gemm.m * gemm.n * gemm.k) / (static_cast<double>(cost.total_cycles) * pes);
  }
  return cost;
}

}  // namespace pimsweep::hardware::pe_array
