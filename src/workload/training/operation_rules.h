#pragma once

#include <cstdint>
#include <span>

#include "workload/operator_graph.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// What an operation is besides its inputs and outputs.
struct OperationAttributes {
  /// Of a convolution, a pooling and their gradients: the window of the forward operation.
  ConvolutionWindow window;
  /// MatMul and BatchMatMul read the transposes of their first or second inputs.
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

/// The shape that element-wise operations give: from the last extent on, those of both inputs where they are equal, and
/// the other's where one is 1. Throws std::logic_error where they fit in neither way.
Shape broadcast(const Shape& a, const Shape& b);

/// Throws std::logic_error, saying what does not fit, where an operation of this type cannot have these shapes.
void check_shapes(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs,
                  const OperationAttributes& attributes);

}  // namespace pimsweep::workload::training
