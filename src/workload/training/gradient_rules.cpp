#include "workload/training/gradient_rules.h"

#include <algorithm>
#include <array>
#include <utility>

// Operations run in the order in which they are recorded, so no call records two of its own arguments: C++ does not
// fix their order of evaluation.
namespace pimsweep::workload::training {

using enum OperationType;

ValueIndex GradientContext::unbroadcast(ValueIndex gradient, std::size_t input) const {
  return tape_.shape(gradient) == shape(input) ? gradient : tape_.reduce(Sum, gradient, shape(input));
}

namespace {

/// No gradient reaches the inputs.
Gradients zero_gradient(const GradientContext& c) { return Gradients(c.operation().inputs.size()); }

Gradients matmul_gradient(const GradientContext& c) {
  Tape& tape = c.tape();
  if (c.operation().attributes.transpose_second) {
    return {tape.matmul(c.dy(), c.x(1)), tape.matmul(c.dy(), c.x(0), true, false)};
  }
  return {tape.matmul(c.dy(), c.x(1), false, true), tape.matmul(c.x(0), c.dy(), true, false)};
}

Gradients batch_matmul_gradient(const GradientContext& c) {
  Tape& tape = c.tape();
  if (c.operation().attributes.transpose_second) {
    return {tape.batch_matmul(c.dy(), c.x(1)), tape.batch_matmul(c.dy(), c.x(0), true, false)};
  }
  return {tape.batch_matmul(c.dy(), c.x(1), false, true), tape.batch_matmul(c.x(0), c.dy(), true, false)};
}

Gradients convolution_gradient(const GradientContext& c) {
  const OperationAttributes& attributes = c.operation().attributes;
  return {c.tape().add(Conv2DBackpropInput, {c.x(1), c.dy()}, c.shape(0), attributes),
          c.tape().add(Conv2DBackpropFilter, {c.x(0), c.dy()}, c.shape(1), attributes)};
}

/// For Conv2DBackpropInput as a transposed convolution: its inputs are the filter and the output of the convolution
/// that it reverses.
Gradients transposed_convolution_gradient(const GradientContext& c) {
  const OperationAttributes& attributes = c.operation().attributes;
  return {c.tape().add(Conv2DBackpropFilter, {c.dy(), c.x(1)}, c.shape(0), attributes),
          c.tape().add(Conv2D, {c.dy(), c.x(0)}, c.shape(1), attributes)};
}

Gradients bias_gradient(const GradientContext& c) {
  return {c.dy(), c.tape().add(BiasAddGrad, {c.dy()}, Shape{c.shape(0).last()})};
}

Gradients max_pool_gradient(const GradientContext& c) {
  return {c.tape().add(MaxPoolGrad, {c.x(0), c.y(), c.dy()}, c.shape(0), c.operation().attributes)};
}

Gradients average_pool_gradient(const GradientContext& c) {
  return {c.tape().add(AvgPoolGrad, {c.dy()}, c.shape(0), c.operation().attributes)};
}

Gradients batch_norm_gradient(const GradientContext& c) {
  // The second and third outputs are the mean and the variance of the batch.
  const std::vector<Shape> shapes{c.shape(0), c.shape(1), c.shape(2)};
  const std::vector<ValueIndex> inputs{c.dy(), c.x(0), c.x(1), c.y() + 1, c.y() + 2};
  const ValueIndex first = c.tape().add_many(FusedBatchNormGrad, inputs, shapes);
  return {first, first + 1, first + 2};
}

Gradients response_norm_gradient(const GradientContext& c) { return {c.tape().same(LRNGrad, {c.dy(), c.x(0), c.y()})}; }

Gradients softmax_gradient(const GradientContext& c) {
  // (dy - s) y, where s is the sum of dy y over the last extent.
  Tape& tape = c.tape();
  Shape sums = c.shape(0);
  sums.extent(sums.rank() - 1) = 1;
  const ValueIndex sum = tape.reduce(Sum, tape.binary(Mul, c.dy(), c.y()), sums);
  return {tape.binary(Mul, tape.binary(Sub, c.dy(), sum), c.y())};
}

Gradients cross_entropy_gradient(const GradientContext& c) {
  // The second output is the gradient of the logits.
  Tape& tape = c.tape();
  const ValueIndex rows = tape.reshape(c.dy(), {tape.shape(c.dy()).elements(), 1});
  return {tape.binary(Mul, rows, c.y() + 1), {}};
}

Gradients half_squares_gradient(const GradientContext& c) { return {c.tape().binary(Mul, c.x(0), c.dy())}; }

Gradients add_gradient(const GradientContext& c) { return {c.unbroadcast(c.dy(), 0), c.unbroadcast(c.dy(), 1)}; }

Gradients add_all_gradient(const GradientContext& c) { return Gradients(c.operation().inputs.size(), c.dy()); }

Gradients subtract_gradient(const GradientContext& c) {
  return {c.unbroadcast(c.dy(), 0), c.tape().same(Neg, {c.unbroadcast(c.dy(), 1)})};
}

Gradients multiply_gradient(const GradientContext& c) {
  return {c.unbroadcast(c.tape().binary(Mul, c.dy(), c.x(1)), 0),
          c.unbroadcast(c.tape().binary(Mul, c.x(0), c.dy()), 1)};
}

Gradients divide_gradient(const GradientContext& c) {
  Tape& tape = c.tape();
  const ValueIndex numerator = c.unbroadcast(tape.binary(RealDiv, c.dy(), c.x(1)), 0);
  const ValueIndex quotient = tape.binary(RealDiv, tape.same(Neg, {c.x(0)}), c.x(1));
  const ValueIndex slope = tape.binary(RealDiv, quotient, c.x(1));
  return {numerator, c.unbroadcast(tape.binary(Mul, c.dy(), slope), 1)};
}

Gradients negate_gradient(const GradientContext& c) { return {c.tape().same(Neg, {c.dy()})}; }

struct Choice {
  ValueIndex first;
  ValueIndex second;
};

/// The gradients of two inputs, one of which `condition` selected for each element.
Choice chosen(const GradientContext& c, ValueIndex condition) {
  Tape& tape = c.tape();
  const ValueIndex zeros = tape.same(ZerosLike, {c.dy()});
  const ValueIndex first = tape.same(Select, {condition, c.dy(), zeros});
  return {first, tape.same(Select, {condition, zeros, c.dy()})};
}

Gradients maximum_gradient(const GradientContext& c) {
  const Choice choice = chosen(c, c.tape().binary(GreaterEqual, c.x(0), c.x(1)));
  return {c.unbroadcast(choice.first, 0), c.unbroadcast(choice.second, 1)};
}

Gradients select_gradient(const GradientContext& c) {
  const Choice choice = chosen(c, c.x(0));
  return {{}, choice.first, choice.second};
}

Gradients squared_difference_gradient(const GradientContext& c) {
  Tape& tape = c.tape();
  const ValueIndex twice = tape.binary(Mul, c.scalar(), c.dy());
  const ValueIndex gradient = tape.binary(Mul, twice, tape.binary(Sub, c.x(0), c.x(1)));
  return {c.unbroadcast(gradient, 0), tape.same(Neg, {c.unbroadcast(gradient, 1)})};
}

Gradients exp_gradient(const GradientContext& c) { return {c.tape().binary(Mul, c.dy(), c.y())}; }

Gradients log_gradient(const GradientContext& c) {
  return {c.tape().binary(Mul, c.dy(), c.tape().same(Reciprocal, {c.x(0)}))};
}

Gradients log1p_gradient(const GradientContext& c) {
  const ValueIndex argument = c.tape().binary(Add, c.x(0), c.scalar());
  return {c.tape().binary(Mul, c.dy(), c.tape().same(Reciprocal, {argument}))};
}

Gradients mean_gradient(const GradientContext& c) {
  const ValueIndex count = c.scalar();
  return {c.tape().binary(RealDiv, c.tape().add(Tile, {c.dy()}, c.shape(0)), count)};
}

Gradients tile_gradient(const GradientContext& c) { return {c.unbroadcast(c.dy(), 0)}; }

Gradients concat_gradient(const GradientContext& c) {
  // With more inputs one Split replaces a Slice for each (python/ops/array_grad.py).
  constexpr std::size_t max_slices = 16;
  std::vector<Shape> parts;
  for (const ValueIndex part : c.operation().inputs) parts.push_back(c.tape().shape(part));
  Gradients gradients;
  if (parts.size() > max_slices) {
    const ValueIndex first = c.tape().add_many(Split, {c.dy()}, parts);
    for (ValueIndex i = 0; i < parts.size(); ++i) gradients.emplace_back(first + i);
  } else {
    for (const Shape& part : parts) gradients.emplace_back(c.tape().add(Slice, {c.dy()}, part));
  }
  return gradients;
}

Gradients split_gradient(const GradientContext& c) {
  std::vector<ValueIndex> parts;
  for (std::uint32_t i = 0; i < c.operation().outputs; ++i) {
    parts.push_back(c.dy(i) ? *c.dy(i) : c.tape().same(ZerosLike, {c.y() + i}));
  }
  return {c.tape().add(ConcatV2, std::move(parts), c.shape(0))};
}

Gradients reshape_gradient(const GradientContext& c) { return {c.tape().reshape(c.dy(), c.shape(0))}; }

/// A rule that records `Type` of dy and y, as for ReLU.
template <OperationType Type>
Gradients by_gradient_and_output(const GradientContext& c) {
  return {c.tape().same(Type, {c.dy(), c.y()})};
}

/// A rule that records `Type` of y and dy, as for the sigmoid.
template <OperationType Type>
Gradients by_output_and_gradient(const GradientContext& c) {
  return {c.tape().same(Type, {c.y(), c.dy()})};
}

/// A rule whose `Type` moves dy back to the shape of the input.
template <OperationType Type>
Gradients moved_back(const GradientContext& c) {
  return {c.tape().add(Type, {c.dy()}, c.shape(0))};
}

constexpr std::array<std::pair<OperationType, GradientRule>, 44> gradient_rules{{
    {MatMul, matmul_gradient},
    {BatchMatMul, batch_matmul_gradient},
    {Conv2D, convolution_gradient},
    {Conv2DBackpropInput, transposed_convolution_gradient},
    {BiasAdd, bias_gradient},
    {MaxPool, max_pool_gradient},
    {AvgPool, average_pool_gradient},
    {FusedBatchNorm, batch_norm_gradient},
    {LRN, response_norm_gradient},
    {Relu, by_gradient_and_output<ReluGrad>},
    {Relu6, by_gradient_and_output<Relu6Grad>},
    {Sigmoid, by_output_and_gradient<SigmoidGrad>},
    {Tanh, by_output_and_gradient<TanhGrad>},
    {Softmax, softmax_gradient},
    {SparseSoftmaxCrossEntropyWithLogits, cross_entropy_gradient},
    {L2Loss, half_squares_gradient},
    {Add, add_gradient},
    {AddN, add_all_gradient},
    {Sub, subtract_gradient},
    {Mul, multiply_gradient},
    {RealDiv, divide_gradient},
    {Neg, negate_gradient},
    {Maximum, maximum_gradient},
    {GreaterEqual, zero_gradient},
    {Select, select_gradient},
    {SquaredDifference, squared_difference_gradient},
    {Rsqrt, by_output_and_gradient<RsqrtGrad>},
    {Exp, exp_gradient},
    {Log, log_gradient},
    {Log1p, log1p_gradient},
    {Floor, zero_gradient},
    {ZerosLike, zero_gradient},
    {RandomUniform, zero_gradient},
    {Sum, moved_back<Tile>},
    {Mean, mean_gradient},
    {Tile, tile_gradient},
    {ConcatV2, concat_gradient},
    {Split, split_gradient},
    {Slice, moved_back<Pad>},
    {Pad, moved_back<Slice>},
    {Transpose, moved_back<Transpose>},
    {Roll, moved_back<Roll>},
    {Reshape, reshape_gradient},
    {StopGradient, zero_gradient},
}};

}  // namespace

GradientRule gradient_rule(OperationType type) {
  const auto row = std::ranges::find(gradient_rules, type, [](const auto& each) { return each.first; });
  return row == gradient_rules.end() ? nullptr : row->second;
}

}  // namespace pimsweep::workload::training
