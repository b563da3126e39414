#pragma once

#include "workload/training/operands.h"

// Checks of the shapes of inputs and outputs, used in the rows of operation_table.cpp.
namespace pimsweep::workload::training {

/// The shape of an element-wise result: extents are aligned at the last one; two extents must be equal, or one of them
/// 1. Throws std::logic_error for other shapes.
Shape broadcast(const Shape& a, const Shape& b);

bool any_shapes(const Operands& operands);
bool matmul_fits(const Operands& operands);
bool batch_matmul_fits(const Operands& operands);
/// A convolution or one of its gradients.
bool convolution_fits(const Operands& operands);
bool pool_fits(const Operands& operands);
bool max_pool_gradient_fits(const Operands& operands);
bool average_pool_gradient_fits(const Operands& operands);
bool bias_fits(const Operands& operands);
bool bias_gradient_fits(const Operands& operands);
bool batch_norm_fits(const Operands& operands);
bool batch_norm_gradient_fits(const Operands& operands);
/// The inputs hold as many elements as the outputs.
bool elements_fit(const Operands& operands);
/// The first two inputs broadcast to the output. Throws std::logic_error if they cannot be broadcast.
bool broadcast_fits(const Operands& operands);
/// All inputs have the shape of the output.
bool same_shapes(const Operands& operands);
/// All inputs are scalars or have the shape of the first.
bool update_fits(const Operands& operands);

}  // namespace pimsweep::workload::training
