#pragma once

#include <cstdint>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/gemm.h"

namespace pimsweep::hardware {

/// Which operand stays in the array while the others stream through it.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };

/// What SCALE-Sim reports for a matrix product on a systolic array whose memory always keeps up.
struct SystolicCost {
  std::int64_t folds = 0;
  /// Lines of the array's schedule: folds x cycles of a fold.
  std::int64_t busy_lines = 0;
  /// "Total Cycles": the index of the last line, counted from 0.
  std::int64_t total_cycles = 0;
  /// Multiply-accumulates / (total_cycles x PEs).
  double utilization = 0;
  /// Mapped elements / (folds x PEs).
  double mapping_efficiency = 0;
};

/// Closed form of SCALE-Sim (scalesim-project, commit 1d62b68) on a rows x cols array. The dimensions mapped along rows
/// and columns are M and N (output stationary), K and N (weight), K and M (input); the third one, T, is streamed. Folds
/// follow each other without overlap, and a ragged fold costs as much as a full one: T + R + C - 2 cycles, and R more
/// to load a stationary operand. Throws std::invalid_argument if a size is not positive.
constexpr SystolicCost systolic_cost(const Gemm& gemm, Dataflow dataflow, std::int64_t rows, std::int64_t cols) {
  if (gemm.m < 1 || gemm.n < 1 || gemm.k < 1 || rows < 1 || cols < 1) {
    throw std::invalid_argument("systolic array: the sizes of a matrix product and of the array must be positive");
  }
  const std::int64_t along_rows = dataflow == Dataflow::output_stationary ? gemm.m : gemm.k;
  const std::int64_t along_cols = dataflow == Dataflow::input_stationary ? gemm.m : gemm.n;
  const std::int64_t streamed = dataflow == Dataflow::output_stationary   ? gemm.k
                                : dataflow == Dataflow::weight_stationary ? gemm.m
                                                                          : gemm.n;
  const std::int64_t load = dataflow == Dataflow::output_stationary ? 0 : rows;
  SystolicCost cost;
  cost.folds = ceil_div(along_rows, rows) * ceil_div(along_cols, cols);
  cost.busy_lines = cost.folds * (streamed + rows + cols - 2 + load);
  cost.total_cycles = cost.busy_lines - 1;
  const auto pes = static_cast<double>(rows * cols);
  cost.mapping_efficiency = static_cast<double>(along_rows * along_cols) / (static_cast<double>(cost.folds) * pes);
  if (cost.total_cycles > 0) {
    cost.utilization = static_cast<double>(gemm.m * gemm.n * gemm.k) / (static_cast<double>(cost.total_cycles) * pes);
  }
  return cost;
}

}  // namespace pimsweep::hardware
