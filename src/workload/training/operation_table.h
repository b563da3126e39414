#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workload/training/operands.h"
#include "workload/training/operation_type.h"
#include "workload/training/shape_rules.h"
#include "workload/training/traffic_rules.h"
#include "workload/training/work_rules.h"

namespace pimsweep::workload::training {

enum class OperationGroup : std::uint8_t {
  source,  ///< variables, fed tensors and constants, which neither compute nor move anything
  product,
  layer,
  element_wise,
  reduction,
  movement,
  view,              ///< another shape or name for the memory of its input
  parameter_update,  ///< applies a gradient to a trainable variable in place
  state_update,      ///< writes another variable in place
};

/// Whether TensorFlow's MKL build runs an operation on blocked tensors: the rewrites of
/// tensorflow/core/graph/mkl_layout_pass.cc (1.9).
enum class MklLayout : std::uint8_t {
  never,
  always,
  element_wise,       ///< after an InputConversion, which brings both inputs into one layout
  two_inputs,         ///< with exactly two inputs
  after_convolution,  ///< on the output of a convolution, with which MKL merges the operation
};

/// Which library runs an operation in TensorFlow's MKL build (core/kernels/mkl_*.cc, 1.9). MKL and MKL-DNN use all
/// threads that they are given; Eigen uses as many as pay.
enum class Library : std::uint8_t { eigen, mkl };

/// All that is known about a type of operation.
struct OperationInfo {
  OperationType type;
  std::string_view name;
  OperationGroup group;
  Work (*work)(const Operands& operands) = no_work;
  Traffic (*traffic)(const Operands& operands) = whole_traffic;
  /// Elements that are read of an input that is a variable.
  std::int64_t (*variable)(const Operands& operands, std::size_t input) = whole_variable;
  bool (*fits)(const Operands& operands) = any_shapes;
  /// The gradient of the first input, a table, has only the rows whose indices are the second input.
  bool sparse_gradient = false;
  MklLayout layout = MklLayout::never;
  Library library = Library::eigen;
};

const OperationInfo& operation_info(OperationType type);

}  // namespace pimsweep::workload::training
