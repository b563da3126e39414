#include "workload/training/operation_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace pimsweep::workload::training {

namespace {

constexpr std::int64_t bytes = 4;
/// Channels that local response normalisation sums over: n of Krizhevsky et al. (NIPS 2012), Sec. 3.3.
constexpr std::int64_t response_channels = 5;

/// `count` sums, each of `terms` in all spread over them: one addition less than terms for each.
std::int64_t additions(std::int64_t terms, std::int64_t count) { return std::max<std::int64_t>(0, terms - count); }

/// Multiply-accumulates of a convolution and of both its gradients: each output position of the forward convolution
/// with each element of the kernel.
Work convolution_work(const Shape& filter, const Shape& forward_output, const Shape& result) {
  const std::int64_t macs = forward_output.elements() / filter.last() * filter.elements();
  return {macs, additions(macs, result.elements()), 0};
}

std::int64_t elements_of(std::span<const Shape> shapes) {
  std::int64_t sum = 0;
  for (const Shape& shape : shapes) sum += shape.elements();
  return sum;
}

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

Matrix matrix(const Shape& shape, bool transposed) {
  const std::int64_t rows = shape.elements() / shape.last();
  return transposed ? Matrix{shape.last(), rows} : Matrix{rows, shape.last()};
}

[[noreturn]] void misfit(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs) {
  const auto list = [](std::span<const Shape> shapes) {
    std::vector<std::string> texts;
    for (const Shape& shape : shapes) texts.push_back(shape.text());
    return fmt::format("{}", fmt::join(texts, " "));
  };
  throw std::logic_error(
      fmt::format("{}: the shapes do not fit: {} -> {}", name_of(type), list(inputs), list(outputs)));
}

bool convolution_fits(const Shape& input, const Shape& filter, const Shape& output, const ConvolutionWindow& window) {
  return input.rank() == 4 && filter.rank() == 4 && output.rank() == 4 &&
         window.kernel == Extent(filter[0], filter[1]) &&
         window.output({input[1], input[2]}) == Extent(output[1], output[2]) && input[0] == output[0] &&
         input[3] == filter[2] && output[3] == filter[3];
}

/// The inner extent of a product of two tensors of matrices, which are their last two extents.
std::int64_t inner_extent(const Shape& first, bool transposed) {
  return transposed ? first[first.rank() - 2] : first.last();
}

bool batch_product_fits(const Shape& a, const Shape& b, const Shape& product, const OperationAttributes& attributes) {
  const std::size_t rank = product.rank();
  if (rank < 3 || a.rank() != rank || b.rank() != rank) return false;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (a[i] != product[i] || b[i] != product[i]) return false;
  }
  const auto rows = [&](const Shape& shape, bool transposed) { return shape[transposed ? rank - 1 : rank - 2]; };
  return rows(a, attributes.transpose_first) == product[rank - 2] &&
         inner_extent(b, attributes.transpose_second) == product.last() &&
         inner_extent(a, attributes.transpose_first) == rows(b, attributes.transpose_second);
}

bool pool_fits(const Shape& input, const Shape& output, const ConvolutionWindow& window) {
  return input.rank() == 4 && output.rank() == 4 && input[0] == output[0] && input[3] == output[3] &&
         window.output({input[1], input[2]}) == Extent(output[1], output[2]);
}

}  // namespace

Work work_of(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs,
             const OperationAttributes& attributes) {
  const std::int64_t in = inputs.empty() ? 0 : inputs[0].elements();
  const std::int64_t out = outputs.empty() ? 0 : outputs[0].elements();
  const std::int64_t area = attributes.window.kernel.area();
  using enum OperationType;
  switch (type) {
    case MatMul: {
      const std::int64_t macs = out * matrix(inputs[0], attributes.transpose_first).columns;
      return {macs, additions(macs, out), 0};
    }
    case BatchMatMul: {
      const std::int64_t macs = out * inner_extent(inputs[0], attributes.transpose_first);
      return {macs, additions(macs, out), 0};
    }
    case Conv2D:
      return convolution_work(inputs[1], outputs[0], outputs[0]);
    case Conv2DBackpropInput:
      return convolution_work(inputs[0], inputs[1], outputs[0]);
    case Conv2DBackpropFilter:
      return convolution_work(outputs[0], inputs[1], outputs[0]);
    case BiasAdd:
    case Add:
    case Sub:
      return {0, out, 0};
    case BiasAddGrad:
    case Sum:
      return {0, additions(in, out), 0};
    case Mean:
      return {out, additions(in, out), 0};
    case AddN:
      return {0, additions(elements_of(inputs), out), 0};
    case Mul:
      return {out, 0, 0};
    case SquaredDifference:
      return {out, out, 0};
    case L2Loss:
      return {in + 1, in - 1, 0};
    case MaxPool:
      return {0, 0, out * (area - 1)};
    case MaxPoolGrad:
      // Finds the largest values again and adds each gradient to the place of one.
      return {0, inputs[2].elements(), inputs[2].elements() * (area - 1)};
    case AvgPool:
      return {out, out * (area - 1), 0};
    case AvgPoolGrad:
      return {in, in * area, 0};
    case FusedBatchNorm:
      // Inference has both moments: scaled and shifted.
      if (inputs.size() == 5) return {in, in, 2 * inputs[1].elements()};
      // Mean; variance; scaled and shifted.
      return {2 * in, 4 * in, 2 * inputs[1].elements()};
    case FusedBatchNormGrad:
      // Sums of dy and of dy x^; dy less its mean and less x^ times the mean of dy x^, scaled.
      return {4 * in, 5 * in, 2 * inputs[2].elements()};
    case LRN:
      return {3 * in, response_channels * in, in};
    case LRNGrad:
      return {(2 * response_channels + 2) * in, 2 * response_channels * in, in};
    case SigmoidGrad:
    case TanhGrad:
      return {2 * out, out, 0};
    case RsqrtGrad:
      return {3 * out, 0, 0};
    case Softmax:
    case SparseSoftmaxCrossEntropyWithLogits:
      // For each class: largest, difference to it, exponential, sum, quotient.
      return {0, 2 * in, 3 * in};
    case UnsortedSegmentSum:
      return {0, in, 0};
    case ScatterSub:
      return {0, inputs[1].elements(), 0};
    case ApplyGradientDescent:
      return {in, in, 0};
    case ApplyMomentum:
      return {2 * in, 2 * in, 0};
    case ApplyAdam:
      return {4 * in, 6 * in, 2 * in};
    case ApplyRMSProp:
      return {4 * in, 5 * in, 2 * in};
    case AssignSub:
      return {0, in, 0};
    case Relu:
    case ReluGrad:
    case Relu6:
    case Relu6Grad:
    case Sigmoid:
    case Tanh:
    case RealDiv:
    case Neg:
    case Maximum:
    case Minimum:
    case GreaterEqual:
    case Select:
    case Sqrt:
    case Rsqrt:
    case Exp:
    case Log:
    case Log1p:
    case Reciprocal:
    case Floor:
    case RandomUniform:
    case LogUniformCandidateSampler:
      return {0, 0, elements_of(outputs)};
    case VariableV2:
    case Placeholder:
    case Const:
    case ZerosLike:
    case Tile:
    case ConcatV2:
    case Pack:
    case Split:
    case Slice:
    case Pad:
    case Transpose:
    case Roll:
    case Gather:
    case InputConversion:
    case ToTf:
    case Reshape:
    case StopGradient:
    case Assign:
      return {};
  }
  return {};
}

Traffic traffic_of(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs) {
  using enum OperationType;
  if (is_source(type) || is_view(type)) return {};
  switch (type) {
    case ZerosLike:
      return {0, bytes * elements_of(outputs)};
    case Slice:
      return {bytes * elements_of(outputs), bytes * elements_of(outputs)};
    case Gather:
      // The rows that the indices name, each once.
      return {bytes * (std::min(elements_of(outputs), inputs[0].elements()) + inputs[1].elements()),
              bytes * elements_of(outputs)};
    case ScatterSub:
      // Rows of the table, rows of the gradient, indices.
      return {bytes * (2 * inputs[1].elements() + inputs[2].elements()), bytes * inputs[1].elements()};
    case ApplyMomentum:
      return {bytes * elements_of(inputs), bytes * 2 * inputs[0].elements()};
    case ApplyAdam:
    case ApplyRMSProp:
      return {bytes * elements_of(inputs), bytes * 3 * inputs[0].elements()};
    case Assign:
      return {bytes * inputs[1].elements(), bytes * inputs[0].elements()};
    default:
      return {bytes * elements_of(inputs), bytes * elements_of(outputs)};
  }
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape result = a.rank() >= b.rank() ? a : b;
  const Shape& other = a.rank() >= b.rank() ? b : a;
  for (std::size_t i = 1; i <= other.rank(); ++i) {
    const std::int64_t extent = other[other.rank() - i];
    std::int64_t& common = result.extent(result.rank() - i);
    if (extent != common && extent != 1 && common != 1) {
      throw std::logic_error(fmt::format("{} does not spread over {}", other.text(), result.text()));
    }
    common = std::max(common, extent);
  }
  return result;
}

void check_shapes(OperationType type, std::span<const Shape> inputs, std::span<const Shape> outputs,
                  const OperationAttributes& attributes) {
  const auto require = [&](bool fits) {
    if (!fits) misfit(type, inputs, outputs);
  };
  using enum OperationType;
  switch (type) {
    case MatMul: {
      const Matrix a = matrix(inputs[0], attributes.transpose_first);
      const Matrix b = matrix(inputs[1], attributes.transpose_second);
      return require(a.columns == b.rows && outputs[0].elements() == a.rows * b.columns &&
                     outputs[0].last() == b.columns);
    }
    case BatchMatMul:
      return require(batch_product_fits(inputs[0], inputs[1], outputs[0], attributes));
    case Conv2D:
      return require(convolution_fits(inputs[0], inputs[1], outputs[0], attributes.window));
    case Conv2DBackpropInput:
      return require(convolution_fits(outputs[0], inputs[0], inputs[1], attributes.window));
    case Conv2DBackpropFilter:
      return require(convolution_fits(inputs[0], outputs[0], inputs[1], attributes.window));
    case MaxPool:
    case AvgPool:
      return require(pool_fits(inputs[0], outputs[0], attributes.window));
    case MaxPoolGrad:
      return require(inputs[0] == outputs[0] && inputs[1] == inputs[2] &&
                     pool_fits(inputs[0], inputs[2], attributes.window));
    case AvgPoolGrad:
      return require(pool_fits(outputs[0], inputs[0], attributes.window));
    case BiasAdd:
      return require(inputs[0] == outputs[0] && inputs[1] == Shape{inputs[0].last()});
    case BiasAddGrad:
      return require(outputs[0] == Shape{inputs[0].last()});
    case FusedBatchNorm:
      return require(inputs[0] == outputs[0] && inputs[1] == Shape{inputs[0].last()} && inputs[2] == inputs[1]);
    case FusedBatchNormGrad:
      return require(inputs[0] == inputs[1] && outputs[0] == inputs[0] && outputs[1] == inputs[2]);
    case ConcatV2:
    case Pack:
    case Split:
      return require(elements_of(inputs) == elements_of(outputs));
    case Reshape:
    case Transpose:
      return require(inputs[0].elements() == outputs[0].elements());
    case Add:
    case Sub:
    case Mul:
    case RealDiv:
    case Maximum:
    case Minimum:
    case SquaredDifference:
      return require(broadcast(inputs[0], inputs[1]) == outputs[0]);
    case AddN:
    case Softmax:
    case Roll:
    case ReluGrad:
    case Relu6Grad:
    case SigmoidGrad:
    case TanhGrad:
    case RsqrtGrad:
    case LRNGrad:
      return require(std::all_of(inputs.begin(), inputs.end(), [&](const Shape& s) { return s == outputs[0]; }));
    case ApplyGradientDescent:
    case ApplyMomentum:
    case ApplyAdam:
    case ApplyRMSProp:
    case AssignSub:
    case Assign:
      return require(
          std::all_of(inputs.begin(), inputs.end(), [&](const Shape& s) { return s == inputs[0] || s.rank() == 0; }));
    default:
      return;
  }
}

}  // namespace pimsweep::workload::training
