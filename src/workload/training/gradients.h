#pragma once

#include <optional>
#include <vector>

#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// The gradient of a variable. That of a table of which rows were gathered has only these rows.
struct VariableGradient {
  ValueIndex variable = 0;
  ValueIndex gradient = 0;
  /// Of a sparse gradient: the rows' indices.
  std::optional<ValueIndex> rows;
};

/// Records the gradients of `loss` (a scalar) with respect to all trainable variables, as tf.gradients of TensorFlow
/// 1.x does: operations in reverse, each by the rule of its type, AddN where a value has several readers. `gate`: all
/// gradients of an operation are computed before any is read, even those that nobody needs (GATE_OP, the default of its
/// optimizers). One gradient for each trainable variable that the loss depends on, in the variables' order.
///
/// Throws std::logic_error where a type has no rule or a gradient has another shape than its value.
std::vector<VariableGradient> record_gradients(Tape& tape, ValueIndex loss, bool gate);

}  // namespace pimsweep::workload::training
