#include <fmt/format.h>

#include <cmath>

#include "workload/onnx_export/rules.h"

namespace pimsweep::workload::onnx_export {

void write_linear(OperatorWriter& w) {
  const MatrixProduct& product = w.op().product;
  const auto [weight, biases] = w.weights({product.inner, product.columns}, product.columns);
  const bool has_rank_2 = w.shape(0).size() == 2;
  // A single bias is a vector only where Gemm says so.
  const bool is_flat = has_rank_2 || product.columns == 1;
  std::string x = w.last(0);
  if (!has_rank_2 && is_flat) x = w.reshape(x, {product.batch * product.rows, product.inner});
  std::size_t added = 0;
  if (is_flat && !biases.empty()) {
    x = w.node("Gemm", {x, weight, biases[added++]});
  } else {
    x = w.node("MatMul", {x, weight});
  }
  for (; added < biases.size(); ++added) x = w.node("Add", {x, biases[added]});
  w.give_last(!has_rank_2 && is_flat ? w.reshape(x, shape_in(Layout::channels_last, w.output())) : x);
}

namespace {

/// A factor {groups, rows, heads x columns} as the matrices (groups, heads, rows, columns), or the matrices transposed.
std::string split_heads(OperatorWriter& w, std::size_t input, std::int64_t rows, std::int64_t columns,
                        bool transposed) {
  const std::int64_t heads = w.shape(input).back() / columns;
  const std::int64_t groups = w.source(input).output.elements() / (rows * heads * columns);
  const std::string split = w.reshape(w.last(input), {groups, rows, heads, columns});
  return w.node("Transpose", {split}, {{"perm", transposed ? Shape{0, 2, 3, 1} : Shape{0, 2, 1, 3}}});
}

/// True if a tensor consists of one matrix with `rows` rows per head, next to each other.
bool has_heads(const Shape& shape, std::int64_t rows, std::int64_t columns) {
  return shape.size() >= 2 && shape[shape.size() - 2] == rows && shape.back() % columns == 0;
}

/// Writes a GEMM of attention: scores, or context.
bool write_attention(OperatorWriter& w) {
  const auto& [batch, rows, inner, columns] = w.op().product;
  const Shape& left = w.shape(0);
  const Shape& right = w.shape(1);
  const Shape out = shape_in(Layout::channels_last, w.output());
  if (w.op().role == "scores" && has_heads(left, rows, inner) && has_heads(right, columns, inner) &&
      left.back() == right.back()) {
    const std::string q = split_heads(w, 0, rows, inner, false);
    const std::string k = split_heads(w, 1, columns, inner, true);
    // A graph leaves factors that are one number to their neighbors.
    const float scale = 1 / std::sqrt(static_cast<float>(inner));
    const std::string scores = w.node("Mul", {w.node("MatMul", {q, k}), w.number(scale)});
    w.give_last(w.reshape(scores, out));
    return true;
  }
  if (w.op().role == "context" && has_heads(right, inner, columns) && has_heads(w.output(), rows, columns) &&
      right.back() == w.output().back()) {
    const std::int64_t heads = right.back() / columns;
    const std::string p = w.reshape(w.last(0), {batch / heads, heads, rows, inner});
    const std::string context = w.node("MatMul", {p, split_heads(w, 1, inner, columns, false)});
    w.give_last(w.reshape(w.node("Transpose", {context}, {{"perm", Shape{0, 2, 1, 3}}}), out));
    return true;
  }
  return false;
}

}  // namespace

void write_matmul(OperatorWriter& w) {
  if (w.op().parameters != 0) throw import::Refusal("multiplies a learned tensor of more than one matrix");
  if (write_attention(w)) return;
  const auto& [batch, rows, inner, columns] = w.op().product;
  const std::string left = w.reshape(w.last(0), {batch, rows, inner});
  const std::string right = w.reshape(w.last(1), {batch, inner, columns});
  w.give_last(w.reshape(w.node("MatMul", {left, right}), shape_in(Layout::channels_last, w.output())));
}

namespace {

Shape sides(const Extent& extent) { return {extent.height, extent.width}; }

std::vector<NodeAttribute> window_attributes(const ConvolutionWindow& window) {
  const Extent& padding = window.padding;
  return {{"kernel_shape", sides(window.kernel)},
          {"strides", Shape{window.stride, window.stride}},
          {"pads", Shape{padding.height, padding.width, padding.height, padding.width}}};
}

void write_with_kernels(OperatorWriter& w, std::string_view type, std::int64_t outer, std::int64_t inner,
                        std::vector<NodeAttribute> attributes) {
  const ConvolutionWindow& window = w.op().window;
  const auto [weight, biases] = w.weights({outer, inner, window.kernel.height, window.kernel.width}, w.output().back());
  const NodeAttribute groups{"group", window.groups};
  attributes.push_back(groups);
  std::vector<std::string> inputs{w.map(0), weight};
  if (biases.size() > 1) throw import::Refusal("has several biases");
  inputs.insert(inputs.end(), biases.begin(), biases.end());
  w.give(w.node(type, inputs, attributes), Layout::channels_first);
}

void write_pool(OperatorWriter& w, std::string_view type, std::vector<NodeAttribute> attributes) {
  for (NodeAttribute& attribute : window_attributes(w.op().window)) attributes.push_back(std::move(attribute));
  w.give(w.node(type, {w.map(0)}, attributes), Layout::channels_first);
}

}  // namespace

void write_convolution(OperatorWriter& w) {
  const ConvolutionWindow& window = w.op().window;
  write_with_kernels(w, "Conv", w.output().back(), w.shape(0).back() / window.groups, window_attributes(window));
}

void write_transposed_convolution(OperatorWriter& w) {
  const ConvolutionWindow& window = w.op().window;
  const Extent in = map_of(w.source(0).output);
  const Extent out = map_of(w.op().output);
  std::vector<NodeAttribute> attributes = window_attributes(window);
  // Several maps have the same smaller one: the file says which.
  const Shape missing{out.height + 2 * window.padding.height - window.kernel.height - (in.height - 1) * window.stride,
                      out.width + 2 * window.padding.width - window.kernel.width - (in.width - 1) * window.stride};
  attributes.push_back({"output_padding", missing});
  write_with_kernels(w, "ConvTranspose", w.shape(0).back(), w.output().back() / window.groups, std::move(attributes));
}

void write_max_pool(OperatorWriter& w) { write_pool(w, "MaxPool", {}); }

void write_average_pool(OperatorWriter& w) { write_pool(w, "AveragePool", {{"count_include_pad", std::int64_t{1}}}); }

void write_global_pool(OperatorWriter& w) {
  const std::size_t rank = w.shape(0).size();
  if (rank == 3 && w.layout(0) == Layout::channels_first) {
    const std::string means = w.node("GlobalAveragePool", {w.map(0)});
    return w.give_last(w.node("Flatten", {means}));
  }
  // All dimensions but the first, of one sample, and the last, of the channels.
  const std::string x = w.reshape(w.last(0), {1, -1, w.output().back()});
  w.give_last(w.node("ReduceMean", {x}, {{"axes", Shape{1}}, {"keepdims", std::int64_t{0}}}));
}

}  // namespace pimsweep::workload::onnx_export
