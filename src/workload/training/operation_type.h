#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimsweep::workload::training {

/// Types of TensorFlow 1.x operations, under their names in tensorflow/core/ops. InputConversion and ToTf are the
/// layout conversions of its MKL build, under the names that published profiles use. operation_table.cpp holds all that
/// is known about each type.
enum class OperationType : std::uint8_t {
  // Sources: they hold a value, and neither compute nor move anything.
  VariableV2,
  Placeholder,
  Const,
  // Matrix products and convolutions.
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
  // Element-wise operations.
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
  // Views: another shape or name for the same memory.
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

/// Whether the type is a variable, a fed tensor or a constant.
bool is_source(OperationType type);
/// Whether the output shares the memory of the input.
bool is_view(OperationType type);
/// Whether the type writes a variable.
bool is_update(OperationType type);
/// Whether the type applies a gradient to a trainable variable.
bool is_parameter_update(OperationType type);

}  // namespace pimsweep::workload::training
