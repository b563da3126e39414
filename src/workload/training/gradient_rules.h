#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "workload/training/tape.h"

// Gradients of operations, after tensorflow/python/ops/*_grad.py of TensorFlow 1.x. Each rule stands in the rows of
// operation_table.cpp that use it.
namespace pimsweep::workload::training {

/// The gradient of a value, where there is one.
using Gradient = std::optional<ValueIndex>;

/// An operation whose gradient is being recorded.
class GradientContext {
 public:
  /// `operation` is a copy of a recorded operation, since the tape grows; `outputs` are the gradients of its outputs.
  GradientContext(Tape& tape, const TapeOperation& operation, std::span<const Gradient> outputs)
      : tape_(tape), operation_(operation), outputs_(outputs) {}

  Tape& tape() const { return tape_; }
  const TapeOperation& operation() const { return operation_; }
  ValueIndex x(std::size_t input) const { return operation_.inputs[input]; }
  /// The first output; others follow it.
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

/// Records the gradient of each input from those of the outputs.
using GradientRule = Gradients (*)(const GradientContext& c);

/// No gradient passes.
Gradients zero_gradient(const GradientContext& c);
Gradients matmul_gradient(const GradientContext& c);
Gradients batch_matmul_gradient(const GradientContext& c);
Gradients convolution_gradient(const GradientContext& c);
/// Of Conv2DBackpropInput as a transposed convolution: its inputs are the filter and the output of the convolution that
/// it reverses.
Gradients transposed_convolution_gradient(const GradientContext& c);
Gradients bias_gradient(const GradientContext& c);
Gradients max_pool_gradient(const GradientContext& c);
Gradients average_pool_gradient(const GradientContext& c);
Gradients batch_norm_gradient(const GradientContext& c);
Gradients response_norm_gradient(const GradientContext& c);
Gradients softmax_gradient(const GradientContext& c);
Gradients cross_entropy_gradient(const GradientContext& c);
Gradients half_squares_gradient(const GradientContext& c);
Gradients add_gradient(const GradientContext& c);
Gradients add_all_gradient(const GradientContext& c);
Gradients subtract_gradient(const GradientContext& c);
Gradients multiply_gradient(const GradientContext& c);
Gradients divide_gradient(const GradientContext& c);
Gradients negate_gradient(const GradientContext& c);
Gradients maximum_gradient(const GradientContext& c);
Gradients select_gradient(const GradientContext& c);
Gradients squared_difference_gradient(const GradientContext& c);
Gradients exp_gradient(const GradientContext& c);
Gradients log_gradient(const GradientContext& c);
Gradients log1p_gradient(const GradientContext& c);
Gradients mean_gradient(const GradientContext& c);
Gradients tile_gradient(const GradientContext& c);
Gradients concat_gradient(const GradientContext& c);
Gradients split_gradient(const GradientContext& c);
Gradients reshape_gradient(const GradientContext& c);

/// `Type` of dy and y, as of ReLU.
template <OperationType Type>
Gradients by_gradient_and_output(const GradientContext& c) {
  return {c.tape().same(Type, {c.dy(), c.y()})};
}

/// `Type` of y and dy, as of the sigmoid.
template <OperationType Type>
Gradients by_output_and_gradient(const GradientContext& c) {
  return {c.tape().same(Type, {c.y(), c.dy()})};
}

/// `Type` moves dy back to the shape of the input.
template <OperationType Type>
Gradients moved_back(const GradientContext& c) {
  return {c.tape().add(Type, {c.dy()}, c.shape(0))};
}

}  // namespace pimsweep::workload::training
