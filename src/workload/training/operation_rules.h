#pragma once

#include <cstdint>
#include <span>

#include "workload/operator_graph.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload {

/// What an operation is besides its inputs and outputs.
struct OperationAttributes {
  /// Of a convolution, a pooling and their gradients: the window of the forward operation.
  ConvolutionWindow window;
  /// MatMul reads the transpose of its first or second input.
  bool transpose_first = false;
  bool transpose_second = false;
};

/// Memory traffic in bytes.
struct Traffic {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// The arithmetic of an operation: docs/training-graphs.md, "Costs".
Work work_of(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs,
             const OperationAttributes& attributes);

Traffic traffic_of(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs);

/// The shape that element-wise operations give: that of the larger input, which the other's extents fit from the last
/// on. Throws std::logic_error where they do not.
Shape broadcast(const Shape& a, const Shape& b);

/// Throws std::logic_error, saying what does not fit, where an operation of this type cannot have these shapes.
void check_shapes(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs,
                  const OperationAttributes& attributes);

}  // namespace pimsweep::workload
