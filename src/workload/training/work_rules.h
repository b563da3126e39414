#pragma once

#include <cstdint>

#include "workload/training/operands.h"

// Arithmetic of operations by the formulas of docs/training-graphs.md, "Costs", used in the rows of
// operation_table.cpp.
namespace pimsweep::workload::training {

/// `Multiplications`, `Additions` and `Others` per element of the first input.
template <std::int64_t Multiplications, std::int64_t Additions, std::int64_t Others>
Work per_input(const Operands& operands) {
  const std::int64_t elements = operands.inputs[0].elements();
  return {Multiplications * elements, Additions * elements, Others * elements};
}

/// `Multiplications`, `Additions` and `Others` per element of the outputs.
template <std::int64_t Multiplications, std::int64_t Additions, std::int64_t Others>
Work per_output(const Operands& operands) {
  const std::int64_t elements = elements_of(operands.outputs);
  return {Multiplications * elements, Additions * elements, Others * elements};
}

Work no_work(const Operands& operands);
Work matmul_work(const Operands& operands);
Work batch_matmul_work(const Operands& operands);
/// A convolution or one of its gradients: each output position of the forward convolution with each element of the
/// kernel.
Work convolution_work(const Operands& operands);
/// Sums of the first input's elements, as many as the output has elements.
Work sum_work(const Operands& operands);
Work mean_work(const Operands& operands);
/// The sum of all inputs, element by element.
Work add_all_work(const Operands& operands);
/// Half the sum of squares.
Work half_squares_work(const Operands& operands);
Work max_pool_work(const Operands& operands);
Work max_pool_gradient_work(const Operands& operands);
Work average_pool_work(const Operands& operands);
Work average_pool_gradient_work(const Operands& operands);
/// In training (three inputs) with the moments of the batch, in inference (five inputs) with given moments.
Work batch_norm_work(const Operands& operands);
Work batch_norm_gradient_work(const Operands& operands);
/// One subtraction for each element of the rows in the second input.
Work subtract_rows_work(const Operands& operands);

}  // namespace pimsweep::workload::training
