#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimsweep::workload::training {

/// Types of TensorFlow 1.x operations, named as in tensorflow/core/ops. InputConversion and ToTf are the layout
/// conversions of its MKL build, named as in published profiles. The properties of each type are in
/// operation_table.cpp.
enum class OperationType : std::uint8_t {
  // Sources hold a value, and neither compute nor move data.
  VariableV2,
  Placeholder,
  Const,
  // GEMMs and convolutions.
  MatMul,
  BatchMatMul,
  Conv2D,
  Conv2DBackpropFilter,
  Conv2DBackpropInput,
  // Layers without a GEMM.
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
  // Reductions and their inverse.
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

/// True for a variable, a fed tensor or a constant.
bool is_source(OperationType type);
/// True if the output shares the memory of the input.
bool is_view(OperationType type);
/// True if the type writes a variable.
bool is_update(OperationType type);
/// True if the type applies a gradient to a trainable variable.
bool is_parameter_update(OperationType type);

}  // namespace pimsweep::workload::training
