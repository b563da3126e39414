#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "workload/training/tape.h"

// Gradients of operations, after tensorflow/python/ops/*_grad.py of TensorFlow 1.x.
namespace pimsweep::workload::training {

/// The gradient of a value; nullopt if there is none.
using Gradient = std::optional<ValueIndex>;

/// An operation whose gradient is being recorded.
class GradientContext {
 public:
  /// `operation` is a copy of a recorded operation, since recording reallocates the tape; `outputs` are the gradients
  /// of its outputs.
  GradientContext(Tape& tape, const TapeOperation& operation, std::span<const Gradient> outputs)
      : tape_(tape), operation_(operation), outputs_(outputs) {}

  Tape& tape() const { return tape_; }
  const TapeOperation& operation() const { return operation_; }
  ValueIndex x(std::size_t input) const { return operation_.inputs[input]; }
  /// The first output; the others follow it.
  ValueIndex y() const { return operation_.first_output; }
  /// The gradient of the first output.
  ValueIndex dy() const { return *outputs_[0]; }
  const Gradient& dy(std::size_t output) const { return outputs_[output]; }
  Shape shape(std::size_t input) const { return tape_.shape(x(input)); }
  /// A constant number.
  ValueIndex scalar() const { return tape_.constant({}); }
  /// `gradient` summed over the axes along which the input was broadcast.
  ValueIndex unbroadcast(ValueIndex gradient, std::size_t input) const;

 private:
  Tape& tape_;
  const TapeOperation& operation_;
  std::span<const Gradient> outputs_;
};

using Gradients = std::vector<Gradient>;

/// Records the gradient of each input, given those of the outputs.
using GradientRule = Gradients (*)(const GradientContext& c);

/// The rule for a type of operation; nullptr if its gradient cannot be recorded.
GradientRule gradient_rule(OperationType type);

}  // namespace pimsweep::workload::training
