#include "workload/training/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pimsweep::workload::training {

namespace {

using enum OperationType;
using Gradient = std::optional<ValueIndex>;

/// Above so many inputs the gradient of a concatenation is one Split, else a Slice for each (TensorFlow 1.x,
/// python/ops/array_grad.py).
constexpr std::size_t max_slices = 16;

/// The rules: from the gradients of an operation's outputs those of its inputs, after tensorflow/python/ops/*_grad.py.
class Rules {
 public:
  Rules(Tape& tape, const TapeOperation& operation, std::span<const Gradient> outputs)
      : tape_(tape), operation_(operation), outputs_(outputs) {}

  std::vector<Gradient> inputs() {
    switch (operation_.type) {
      case MatMul:
        return matmul();
      case BatchMatMul:
        return batch_matmul();
      case Conv2D:
        return convolution();
      case Conv2DBackpropInput:
        return transposed_convolution();
      case BiasAdd:
        return {dy(), tape_.add(BiasAddGrad, {dy()}, Shape{shape(0).last()})};
      case MaxPool:
        return {tape_.add(MaxPoolGrad, {x(0), y(), dy()}, shape(0), operation_.attributes)};
      case AvgPool:
        return {tape_.add(AvgPoolGrad, {dy()}, shape(0), operation_.attributes)};
      case FusedBatchNorm:
        return fused_batch_norm();
      case LRN:
        return {tape_.same(LRNGrad, {dy(), x(0), y()})};
      case Relu:
        return {tape_.same(ReluGrad, {dy(), y()})};
      case Relu6:
        return {tape_.same(Relu6Grad, {dy(), y()})};
      case Sigmoid:
        return {tape_.same(SigmoidGrad, {y(), dy()})};
      case Tanh:
        return {tape_.same(TanhGrad, {y(), dy()})};
      case Rsqrt:
        return {tape_.same(RsqrtGrad, {y(), dy()})};
      case SparseSoftmaxCrossEntropyWithLogits:
        // The operation has left the gradient beside the loss.
        return {tape_.binary(Mul, tape_.reshape(dy(), {shape_of(dy()).elements(), 1}), y() + 1), {}};
      case Softmax:
        return softmax();
      case L2Loss:
        return {tape_.binary(Mul, x(0), dy())};
      case Add:
        return {fit(dy(), 0), fit(dy(), 1)};
      case AddN:
        return std::vector<Gradient>(operation_.inputs.size(), dy());
      case Sub:
        return {fit(dy(), 0), tape_.same(Neg, {fit(dy(), 1)})};
      case Mul:
        return {fit(tape_.binary(Mul, dy(), x(1)), 0), fit(tape_.binary(Mul, x(0), dy()), 1)};
      case RealDiv:
        return quotient();
      case Neg:
        return {tape_.same(Neg, {dy()})};
      case Maximum:
        return maximum();
      case Select:
        return choice(x(0));
      case SquaredDifference:
        return squared_difference();
      case Exp:
        return {tape_.binary(Mul, dy(), y())};
      case Log:
        return {tape_.binary(Mul, dy(), tape_.same(Reciprocal, {x(0)}))};
      case Log1p:
        return {tape_.binary(Mul, dy(), tape_.same(Reciprocal, {tape_.binary(Add, x(0), scalar())}))};
      case Sum:
        return {tape_.add(Tile, {dy()}, shape(0))};
      case Mean:
        return {tape_.binary(RealDiv, tape_.add(Tile, {dy()}, shape(0)), scalar())};
      case ConcatV2:
        return concatenation();
      case Split:
        return split();
      case Slice:
        return {tape_.add(Pad, {dy()}, shape(0))};
      case Pad:
        return {tape_.add(Slice, {dy()}, shape(0))};
      case Tile:
        return {fit(dy(), 0)};
      case Transpose:
        return {tape_.add(Transpose, {dy()}, shape(0))};
      case Roll:
        return {tape_.same(Roll, {dy()})};
      case Reshape:
        return {tape_.reshape(dy(), shape(0))};
      case Floor:
      case GreaterEqual:
      case ZerosLike:
      case StopGradient:
      case RandomUniform:
        return std::vector<Gradient>(operation_.inputs.size());
      default:
        throw std::logic_error(fmt::format("{} has no gradient rule", name_of(operation_.type)));
    }
  }

 private:
  ValueIndex x(std::size_t input) const { return operation_.inputs[input]; }
  ValueIndex y() const { return operation_.first_output; }
  ValueIndex dy() const { return *outputs_[0]; }
  const Shape& shape_of(ValueIndex value) const { return tape_.shape(value); }
  Shape shape(std::size_t input) const { return tape_.shape(x(input)); }
  ValueIndex scalar() { return tape_.constant({}); }

  /// The gradient of an input that was spread over the output: summed over what it was spread over.
  ValueIndex fit(ValueIndex gradient, std::size_t input) {
    return shape_of(gradient) == shape(input) ? gradient : tape_.reduce(Sum, gradient, shape(input));
  }

  std::vector<Gradient> matmul() {
    if (operation_.attributes.transpose_second) {
      return {tape_.matmul(dy(), x(1)), tape_.matmul(dy(), x(0), true, false)};
    }
    return {tape_.matmul(dy(), x(1), false, true), tape_.matmul(x(0), dy(), true, false)};
  }

  /// python/ops/math_grad.py, _BatchMatMul.
  std::vector<Gradient> batch_matmul() {
    if (operation_.attributes.transpose_second) {
      return {tape_.batch_matmul(dy(), x(1)), tape_.batch_matmul(dy(), x(0), true, false)};
    }
    return {tape_.batch_matmul(dy(), x(1), false, true), tape_.batch_matmul(x(0), dy(), true, false)};
  }

  /// (dy - sum of dy y) y, the sum over the last extent.
  std::vector<Gradient> softmax() {
    Shape sums = shape(0);
    sums.extent(sums.rank() - 1) = 1;
    const ValueIndex sum = tape_.reduce(Sum, tape_.binary(Mul, dy(), y()), sums);
    return {tape_.binary(Mul, tape_.binary(Sub, dy(), sum), y())};
  }

  std::vector<Gradient> convolution() {
    return {tape_.add(Conv2DBackpropInput, {x(1), dy()}, shape(0), operation_.attributes),
            tape_.add(Conv2DBackpropFilter, {x(0), dy()}, shape(1), operation_.attributes)};
  }

  /// Inputs are the filter and what a convolution with it would give.
  std::vector<Gradient> transposed_convolution() {
    return {tape_.add(Conv2DBackpropFilter, {dy(), x(1)}, shape(0), operation_.attributes),
            tape_.add(Conv2D, {dy(), x(0)}, shape(1), operation_.attributes)};
  }

  std::vector<Gradient> fused_batch_norm() {
    // Beside the result the operation has left the batch's mean and variance.
    const std::vector<Shape> shapes{shape(0), shape(1), shape(2)};
    const ValueIndex first = tape_.add_many(FusedBatchNormGrad, {dy(), x(0), x(1), y() + 1, y() + 2}, shapes);
    return {first, first + 1, first + 2};
  }

  std::vector<Gradient> quotient() {
    const ValueIndex first = fit(tape_.binary(RealDiv, dy(), x(1)), 0);
    const ValueIndex once = tape_.binary(RealDiv, tape_.same(Neg, {x(0)}), x(1));
    return {first, fit(tape_.binary(Mul, dy(), tape_.binary(RealDiv, once, x(1))), 1)};
  }

  std::vector<Gradient> choice(ValueIndex condition) {
    const ValueIndex zeros = tape_.same(ZerosLike, {dy()});
    return {{}, tape_.same(Select, {condition, dy(), zeros}), tape_.same(Select, {condition, zeros, dy()})};
  }

  std::vector<Gradient> maximum() {
    std::vector<Gradient> gradients = choice(tape_.binary(GreaterEqual, x(0), x(1)));
    return {fit(*gradients[1], 0), fit(*gradients[2], 1)};
  }

  std::vector<Gradient> squared_difference() {
    const ValueIndex twice = tape_.binary(Mul, scalar(), dy());
    const ValueIndex gradient = tape_.binary(Mul, twice, tape_.binary(Sub, x(0), x(1)));
    return {fit(gradient, 0), tape_.same(Neg, {fit(gradient, 1)})};
  }

  std::vector<Gradient> concatenation() {
    std::vector<Shape> parts;
    for (const ValueIndex part : operation_.inputs) parts.push_back(shape_of(part));
    std::vector<Gradient> gradients;
    if (parts.size() > max_slices) {
      const ValueIndex first = tape_.add_many(Split, {dy()}, parts);
      for (ValueIndex i = 0; i < parts.size(); ++i) gradients.emplace_back(first + i);
    } else {
      for (const Shape& part : parts) gradients.emplace_back(tape_.add(Slice, {dy()}, part));
    }
    return gradients;
  }

  std::vector<Gradient> split() {
    std::vector<ValueIndex> parts;
    for (std::uint32_t i = 0; i < operation_.outputs; ++i) {
      parts.push_back(outputs_[i] ? *outputs_[i] : tape_.same(ZerosLike, {y() + i}));
    }
    return {tape_.add(ConcatV2, std::move(parts), shape(0))};
  }

  Tape& tape_;
  // A copy: the tape grows meanwhile.
  const TapeOperation operation_;
  std::span<const Gradient> outputs_;
};

class Backward {
 public:
  Backward(Tape& tape, bool gate) : tape_(tape), gate_(gate), forward_(tape.operations().size()) {
    reaches_.resize(tape.values(), false);
    for (const ValueIndex variable : tape.trainable()) reaches_[variable] = true;
    for (const TapeOperation& operation : tape.operations()) {
      const bool reached = std::any_of(operation.inputs.begin(), operation.inputs.end(),
                                       [&](ValueIndex input) { return reaches_[input]; });
      for (std::uint32_t i = 0; reached && i < operation.outputs; ++i) reaches_[operation.first_output + i] = true;
    }
    parts_.resize(tape.values());
  }

  std::vector<VariableGradient> run(ValueIndex loss) {
    tape_.enter("gradients");
    parts_[loss] = {tape_.constant(tape_.shape(loss))};
    for (std::size_t i = forward_; i-- > 0;) visit(i);
    std::vector<VariableGradient> gradients;
    for (const ValueIndex variable : tape_.trainable()) {
      const auto sparse = std::find_if(sparse_.begin(), sparse_.end(),
                                       [&](const VariableGradient& gradient) { return gradient.variable == variable; });
      if (sparse != sparse_.end()) {
        gradients.push_back(*sparse);
      } else if (const Gradient gradient = sum(variable)) {
        gradients.push_back({variable, *gradient, {}});
      }
    }
    return gradients;
  }

 private:
  void visit(std::size_t index) {
    const TapeOperation operation = tape_.operations()[index];
    if (!reaches_[operation.first_output] || is_source(operation.type) || is_update(operation.type)) return;
    tape_.enter("gradients/" + operation.name);
    std::vector<Gradient> outputs;
    for (std::uint32_t i = 0; i < operation.outputs; ++i) outputs.push_back(sum(operation.first_output + i));
    if (std::none_of(outputs.begin(), outputs.end(), [](const Gradient& g) { return g.has_value(); })) return;
    if (operation.type == Gather) {
      sparse_.push_back({operation.inputs[0], *outputs[0], operation.inputs[1]});
      return;
    }
    hand_on(operation, Rules(tape_, operation, outputs).inputs());
  }

  void hand_on(const TapeOperation& operation, const std::vector<Gradient>& gradients) {
    std::vector<ValueIndex> together;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i]) continue;
      const ValueIndex input = operation.inputs[i];
      if (tape_.shape(*gradients[i]) != tape_.shape(input)) {
        throw std::logic_error(fmt::format("the gradient of {} has the shape {} instead of {}", operation.name,
                                           tape_.shape(*gradients[i]).text(), tape_.shape(input).text()));
      }
      together.push_back(*gradients[i]);
      if (reaches_[input]) parts_[input].push_back(*gradients[i]);
    }
    if (gate_ && together.size() > 1) tape_.tie(std::move(together));
  }

  /// The sum of what all readers of a value send back.
  Gradient sum(ValueIndex value) {
    std::vector<ValueIndex>& parts = parts_[value];
    if (parts.empty()) return {};
    if (parts.size() > 1) parts = {tape_.same(AddN, parts)};
    return parts.front();
  }

  Tape& tape_;
  bool gate_;
  /// Operations before the gradients.
  std::size_t forward_;
  /// Of each value: whether it depends on a trainable variable.
  std::vector<bool> reaches_;
  /// Of each value: the gradients that its readers give.
  std::vector<std::vector<ValueIndex>> parts_;
  std::vector<VariableGradient> sparse_;
};

}  // namespace

std::vector<VariableGradient> record_gradients(Tape& tape, ValueIndex loss, bool gate) {
  return Backward(tape, gate).run(loss);
}

}  // namespace pimsweep::workload::training
