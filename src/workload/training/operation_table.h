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
  source,  ///< variables, fed tensors and constants, which neither compute nor move data
  product,
  layer,
  element_wise,
  reduction,
  movement,
  view,              ///< another shape or name for the memory of its input
  parameter_update,  ///< applies a gradient to a trainable variable in place
  state_update,      ///< writes another variable in place
};

/// Use of blocked tensors by an operation in TensorFlow's MKL build: the rewrites of
/// tensorflow/core/graph/mkl_layout_pass.cc (1.9).
enum class MklLayout : std::uint8_t {
  never,
  always,
  element_wise,       ///< after an InputConversion, which converts both inputs to one layout
  two_inputs,         ///< with exactly two inputs
  after_convolution,  ///< on the output of a convolution, with which MKL merges the operation
};

/// Library that runs an operation in TensorFlow's MKL build (core/kernels/mkl_*.cc, 1.9). MKL and MKL-DNN use all
/// threads that they are given; Eigen uses only as many as are worthwhile.
enum class Library : std::uint8_t { eigen, mkl };

/// The row of a type of operation: its name and group, and the rules for its costs and shapes. Rules are plain
/// functions of the operands (work_rules.h, traffic_rules.h, shape_rules.h); a row names only those that differ from
/// the defaults. Gradients have a table of their own (gradient_rules.cpp), since gradient rules record further
/// operations.
///
///     const OperationInfo& info = operation_info(operation.type);
///     const Work work = info.work({type, inputs, outputs, attributes});
///
/// A new type needs a value of OperationType, a row in operation_table.cpp in the same order, and a row in
/// gradient_rules.cpp if it can be differentiated. Costs are those of TensorFlow 1.x kernels without any cache; they do
/// not depend on a machine.
struct OperationInfo {
  OperationType type;
  std::string_view name;
  OperationGroup group;
  Work (*work)(const Operands& operands) = no_work;
  Traffic (*traffic)(const Operands& operands) = whole_traffic;
  /// Elements read of an input that is a variable.
  std::int64_t (*variable)(const Operands& operands, std::size_t input) = whole_variable;
  bool (*fits)(const Operands& operands) = any_shapes;
  /// The gradient of the first input, a table, has only the rows whose indices are the second input.
  bool sparse_gradient = false;
  MklLayout layout = MklLayout::never;
  Library library = Library::eigen;
};

const OperationInfo& operation_info(OperationType type);

}  // namespace pimsweep::workload::training
