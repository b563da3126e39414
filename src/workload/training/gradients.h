#pragma once

#include <optional>
#include <vector>

#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// The gradient of a variable. If rows of a table were gathered, it is sparse and has only these rows.
struct VariableGradient {
  ValueIndex variable = 0;
  ValueIndex gradient = 0;
  /// Indices of the rows of a sparse gradient.
  std::optional<ValueIndex> rows;
};

/// Records the gradients of `loss` (a scalar) with respect to all trainable variables like tf.gradients in TensorFlow
/// 1.x: it visits the operations in reverse, applies the rule of each type, and sums by AddN where a value has several
/// readers. With `gate`, all gradients of an operation, including those that no other operation needs, are computed
/// before any of them is read (GATE_OP, the default of TensorFlow's optimizers). Returns one gradient for each
/// trainable variable on which the loss depends, in the order of the variables.
///
/// Throws std::logic_error if a type has no rule or a gradient differs in shape from its value.
std::vector<VariableGradient> record_gradients(Tape& tape, ValueIndex loss, bool gate);

}  // namespace pimsweep::workload::training
