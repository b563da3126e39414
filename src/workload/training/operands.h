#pragma once

#include <cstdint>
#include <span>

#include "workload/operator_graph.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// Properties of an operation that do not follow from its shapes.
struct OperationAttributes {
  /// Window of the forward operation, for convolutions, pooling and their gradients.
  ConvolutionWindow window;
  /// MatMul and BatchMatMul read the transpose of their first or second input.
  bool transpose_first = false;
  bool transpose_second = false;
};

/// One operation as seen by the rules of its type.
struct Operands {
  OperationType type;
  std::span<const Shape> inputs;
  std::span<const Shape> outputs;
  const OperationAttributes& attributes;
};

/// Total number of elements of these tensors.
std::int64_t elements_of(std::span<const Shape> shapes);

/// Inner dimension of a batched GEMM, whose matrices are the last two extents of `first`.
std::int64_t inner_extent(const Shape& first, bool transposed);

/// The tensor of a convolution that an operation computes; `none` for other operations.
enum class ConvolutionRole : std::uint8_t { none, forward, input_gradient, filter_gradient };

ConvolutionRole convolution_role(OperationType type);

/// The tensors of a convolution or of one of its two gradients.
struct ConvolutionTensors {
  Shape input;
  Shape filter;
  Shape output;
};

/// Assigns the two inputs and the result of an operation to the tensors of the forward convolution. Throws
/// std::logic_error for a type other than convolutions.
ConvolutionTensors convolution_tensors(OperationType type, const Shape& first, const Shape& second,
                                       const Shape& result);

}  // namespace pimsweep::workload::training
