#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimsweep::workload::training {

/// What an operation is: the names are those of TensorFlow 1.x (tensorflow/core/ops), MKL's two layout operations as
/// the published profiles call them.
enum class OperationType : std::uint8_t {
  // Sources: they hold a value, and neither compute nor move anything.
  VariableV2,
  Placeholder,
  Const,
  // Matrix products.
  MatMul,
  BatchMatMul,
  Conv2D,
  Conv2DBackpropFilter,
  Conv2DBackpropInput,
  // Layers without a matrix product.
  BiasAdd,
  BiasAddGrad,
  MaxPool,
  MaxPoolGrad,
  AvgPool,
  AvgPoolGrad,
  FusedBatchNorm,
  FusedBatchNormGrad,
  LRN,
  LRNGrad,
  Relu,
  ReluGrad,
  Relu6,
  Relu6Grad,
  Sigmoid,
  SigmoidGrad,
  Tanh,
  TanhGrad,
  Softmax,
  SparseSoftmaxCrossEntropyWithLogits,
  L2Loss,
  // Element by element.
  Add,
  AddN,
  Sub,
  Mul,
  RealDiv,
  Neg,
  Maximum,
  Minimum,
  GreaterEqual,
  Select,
  SquaredDifference,
  Sqrt,
  Rsqrt,
  RsqrtGrad,
  Exp,
  Log,
  Log1p,
  Reciprocal,
  Floor,
  ZerosLike,
  RandomUniform,
  // Reductions and their reverse.
  Sum,
  Mean,
  Tile,
  // Data movement.
  ConcatV2,
  Pack,
  Split,
  Slice,
  Pad,
  Transpose,
  Roll,
  Gather,
  UnsortedSegmentSum,
  LogUniformCandidateSampler,
  InputConversion,
  ToTf,
  // Views: another shape or name of the same memory.
  Reshape,
  StopGradient,
  // Updates in place.
  ApplyGradientDescent,
  ApplyMomentum,
  ApplyAdam,
  ApplyRMSProp,
  ScatterSub,
  AssignSub,
  Assign,
};

constexpr std::size_t operation_types = static_cast<std::size_t>(OperationType::Assign) + 1;

std::string_view name_of(OperationType type);

/// Variables, fed tensors and constants.
constexpr bool is_source(OperationType type) { return type <= OperationType::Const; }
/// Shares its input's memory.
constexpr bool is_view(OperationType type) {
  return type == OperationType::Reshape || type == OperationType::StopGradient;
}
/// Writes a variable.
constexpr bool is_update(OperationType type) { return type >= OperationType::ApplyGradientDescent; }
/// One of the four optimizers' operations, or the sparse form of gradient descent: a parameter's update.
constexpr bool is_parameter_update(OperationType type) { return is_update(type) && type <= OperationType::ScatterSub; }

}  // namespace pimsweep::workload::training
