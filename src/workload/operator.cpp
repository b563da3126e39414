#include "workload/operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace pimsweep::workload {

namespace {

/// Number of vectors of channels in a tensor: the product of all extents but the last.
std::int64_t vectors(const Tensor& tensor) {
  return tensor.shape.empty() ? 0 : tensor.elements() / std::max<std::int64_t>(tensor.shape.back(), 1);
}

std::string linear_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const MatrixProduct& product = node.product;
  if (in.shape.empty() || node.output.shape.empty()) return "needs tensors with channels";
  if (product.batch * product.rows != vectors(in) || product.inner != in.shape.back()) {
    return fmt::format("multiplies {} x {} but reads {}", product.batch * product.rows, product.inner,
                       fmt::join(in.shape, " x "));
  }
  if (vectors(node.output) != vectors(in) || node.output.shape.back() != product.columns) {
    return "has an output whose shape differs from its GEMM";
  }
  const std::int64_t weights = node.shares_weights ? 0 : product.inner * product.columns;
  return node.weights == weights ? "" : "has a number of weights other than inner x columns";
}

std::string matmul_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const Tensor& left = inputs[0];
  const Tensor& right = inputs[1];
  const MatrixProduct& product = node.product;
  if (left.elements() != product.batch * product.rows * product.inner) return "has a left factor of the wrong size";
  if (right.elements() != product.batch * product.inner * product.columns)
    return "has a right factor of the wrong size";
  if (node.output.elements() != product.batch * product.rows * product.columns)
    return "has an output of the wrong size";
  return "";
}

/// The defect of the output map of a window over `in`; empty if there is none.
std::string window_defect(const ConvolutionWindow& window, const Tensor& in, const Tensor& out) {
  if (in.shape.size() < 3 || out.shape.size() != in.shape.size()) return "needs feature maps as input and output";
  return map_of(out) == window.output(map_of(in))
             ? ""
             : "has an output map whose size does not follow from kernel, stride and padding";
}

/// The defect of a convolution that reads `in` and writes `out` by the GEMM `expected`.
std::string map_defect(const Operator& node, const Tensor& in, const Tensor& out, const MatrixProduct& expected) {
  if (std::string wrong = window_defect(node.window, in, out); !wrong.empty()) return wrong;
  const std::int64_t groups = node.window.groups;
  if (in.shape.back() % groups != 0 || out.shape.back() % groups != 0) {
    return "has channels that are not divisible by its groups";
  }
  if (node.product != expected) return "has a GEMM that does not match its shapes";
  const std::int64_t weights = node.shares_weights ? 0 : expected.batch * expected.inner * expected.columns;
  return node.weights == weights ? "" : "holds a wrong number of weights";
}

std::string convolution_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const std::int64_t groups = node.window.groups;
  const std::int64_t area = node.window.kernel.area();
  const Tensor& out = node.output;
  if (node.kind == OperatorKind::transposed_convolution) {
    return map_defect(node, out, in,
                      {groups, vectors(in), in.shape.back() / groups, area * (out.shape.back() / groups)});
  }
  return map_defect(node, in, out,
                    {groups, vectors(out), area * (in.shape.back() / groups), out.shape.back() / groups});
}

std::string pool_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  std::string wrong = window_defect(node.window, in, node.output);
  if (!wrong.empty()) return wrong;
  return in.shape.back() == node.output.shape.back() ? "" : "differs from its input in its channels";
}

std::string multiply_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const Tensor& in = inputs[0];
  const Tensor& factors = inputs[1];
  if (in != node.output) return "has an output whose shape differs from its input";
  const bool fits = factors == in || factors.elements() == in.shape.back();
  return fits ? "" : "has factors that are neither one per element nor one per channel";
}

std::string same_shape_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const bool same = std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& in) { return in == node.output; });
  return same ? "" : "has an output whose shape differs from its input";
}

std::string concat_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  std::int64_t total = node.parameters;
  for (const Tensor& tensor : inputs) total += tensor.elements();
  return total == node.output.elements() ? "" : "does not hold exactly its inputs";
}

std::string global_pool_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const std::int64_t channels = node.output.shape.back();
  const bool fits = node.output.elements() == channels && channels == inputs[0].shape.back();
  return fits ? "" : "does not hold one value for each channel of its input";
}

std::string part_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  return node.output.elements() <= inputs[0].elements() ? "" : "has more elements than its input";
}

std::string pad_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  return node.output.elements() >= inputs[0].elements() ? "" : "has fewer elements than its input";
}

std::string embedding_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const std::int64_t channels = node.output.shape.back();
  const bool fits = node.output.elements() == inputs[0].elements() * channels && node.parameters % channels == 0;
  return fits ? "" : "does not look up one row of its table for each input";
}

std::string reshape_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  return node.output.elements() == inputs[0].elements() ? "" : "differs from its input in the number of elements";
}

std::string no_defect(const Operator&, const std::vector<Tensor>&) { return ""; }

/// Properties of the operators of one kind.
struct KindInfo {
  OperatorKind kind;
  std::string_view name;
  std::string (*defect)(const Operator& node, const std::vector<Tensor>& inputs);
  std::size_t min_inputs = 1;
  std::size_t max_inputs = 1;
};

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// In the order of OperatorKind.
constexpr std::array kinds{
    KindInfo{OperatorKind::input, "input", no_defect, 0, 0},
    KindInfo{OperatorKind::embedding, "embedding", embedding_defect},
    KindInfo{OperatorKind::linear, "linear", linear_defect},
    KindInfo{OperatorKind::matmul, "matmul", matmul_defect, 2, 2},
    KindInfo{OperatorKind::convolution, "convolution", convolution_defect},
    KindInfo{OperatorKind::transposed_convolution, "transposed_convolution", convolution_defect},
    KindInfo{OperatorKind::layer_norm, "layer_norm", same_shape_defect},
    KindInfo{OperatorKind::batch_norm, "batch_norm", same_shape_defect},
    KindInfo{OperatorKind::response_norm, "response_norm", same_shape_defect},
    KindInfo{OperatorKind::softmax, "softmax", same_shape_defect},
    KindInfo{OperatorKind::activation, "activation", same_shape_defect},
    KindInfo{OperatorKind::add, "add", same_shape_defect, 1, any_number},
    KindInfo{OperatorKind::multiply, "multiply", multiply_defect, 2, 2},
    KindInfo{OperatorKind::max_pool, "max_pool", pool_defect},
    KindInfo{OperatorKind::average_pool, "average_pool", pool_defect},
    KindInfo{OperatorKind::global_pool, "global_pool", global_pool_defect},
    KindInfo{OperatorKind::concat, "concat", concat_defect, 1, any_number},
    KindInfo{OperatorKind::slice, "slice", part_defect},
    KindInfo{OperatorKind::reshape, "reshape", reshape_defect},
    KindInfo{OperatorKind::pad, "pad", pad_defect},
    KindInfo{OperatorKind::crop, "crop", part_defect},
    KindInfo{OperatorKind::gather, "gather", no_defect},
    KindInfo{OperatorKind::roll, "roll", same_shape_defect},
};

constexpr bool kinds_are_in_order() {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (static_cast<std::size_t>(kinds[i].kind) != i) return false;
  }
  return kinds.back().kind == OperatorKind::roll;
}
static_assert(kinds_are_in_order());

const KindInfo& info_of(OperatorKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::int64_t Tensor::elements() const {
  return std::accumulate(shape.begin(), shape.end(), Count{1}, std::multiplies<>());
}

Extent map_of(const Tensor& tensor) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  return {shape[shape.size() - 3], shape[shape.size() - 2]};
}

Extent ConvolutionWindow::output(const Extent& input) const {
  const auto along = [&](std::int64_t length, std::int64_t pad, std::int64_t side) {
    const std::int64_t room = length + 2 * pad - side;
    return room < 0 ? 0 : room / stride + 1;
  };
  return {along(input.height, padding.height, kernel.height), along(input.width, padding.width, kernel.width)};
}

std::int64_t Operator::stored_words(std::int64_t count, double word_bytes) const {
  if (weight_bits == 0) return count;
  constexpr double bits_per_byte = 8;
  return Count::of(std::ceil(static_cast<double>(count) * weight_bits / (bits_per_byte * word_bytes)));
}

std::string_view name_of(OperatorKind kind) { return info_of(kind).name; }

std::string operator_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const KindInfo& info = info_of(node.kind);
  if (inputs.size() < info.min_inputs || inputs.size() > info.max_inputs) {
    return fmt::format("has {} inputs, which its kind does not take", inputs.size());
  }
  if (std::any_of(node.output.shape.begin(), node.output.shape.end(), [](std::int64_t extent) { return extent < 1; })) {
    return "has an output with an extent below 1";
  }
  return info.defect(node, inputs);
}

}  // namespace pimsweep::workload
