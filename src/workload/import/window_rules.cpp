#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

/// Window along one dimension, as in the file.
struct WindowSide {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_before = 0;
  std::int64_t pad_after = 0;

  /// Positions that the kernel spans.
  std::int64_t span() const { return dilation * (kernel - 1) + 1; }
  std::int64_t padding() const { return pad_before + pad_after; }
};

/// Height and width. A sequence is a map of height 1.
using WindowSides = std::array<WindowSide, 2>;

constexpr std::int64_t max_side = 1 << 20;

/// Entry `index` of a list with an entry for each dimension of the kernel; for sequences, the list lacks the height.
std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t index, std::size_t dimensions,
                   std::int64_t otherwise) {
  if (dimensions == 1 && index == 0) return otherwise;
  const std::size_t place = dimensions == 1 ? 0 : index;
  if (list.empty()) return otherwise;
  if (place >= list.size()) throw Refusal("has a list of strides, dilations or pads with too few entries");
  return list[place];
}

WindowSides read_sides(const NodeCall& call, const std::vector<std::int64_t>& kernel) {
  const std::size_t dimensions = kernel.size();
  if (dimensions < 1 || dimensions > 2) {
    throw Refusal(fmt::format("has a window of {} dimensions; only 1 or 2 are supported", dimensions));
  }
  const std::vector<std::int64_t> strides = call.attribute("strides", std::vector<std::int64_t>{});
  const std::vector<std::int64_t> dilations = call.attribute("dilations", std::vector<std::int64_t>{});
  std::vector<std::int64_t> pads = call.attribute("pads", std::vector<std::int64_t>{});
  if (!pads.empty() && pads.size() != 2 * dimensions) throw Refusal("has pads that do not match its window");
  const std::vector<std::int64_t> after(pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2), pads.end());
  WindowSides sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i] = {entry(kernel, i, dimensions, 1), entry(strides, i, dimensions, 1), entry(dilations, i, dimensions, 1),
                entry(pads, i, dimensions, 0), entry(after, i, dimensions, 0)};
    const auto outside = [](std::int64_t value, std::int64_t least) { return value < least || value > max_side; };
    if (outside(sides[i].kernel, 1) || outside(sides[i].stride, 1) || outside(sides[i].dilation, 1) ||
        outside(sides[i].pad_before, 0) || outside(sides[i].pad_after, 0) || outside(sides[i].span(), 1)) {
      throw Refusal(fmt::format("has a kernel, stride, dilation or pad out of range (at most {})", max_side));
    }
  }
  return sides;
}

/// Height and width of a tensor {batch, channels, (height,) width}.
std::array<std::int64_t, 2> map_sides(const Shape& shape) {
  if (shape.size() != 3 && shape.size() != 4) throw Refusal("needs an input of 3 or 4 dimensions");
  return {shape.size() == 4 ? shape[2] : 1, shape.back()};
}

/// Sets the pads according to `auto_pad`.
void pad_automatically(const NodeCall& call, WindowSides& sides, const std::array<std::int64_t, 2>& in) {
  const std::string word = call.attribute("auto_pad", std::string("NOTSET"));
  if (word != "SAME_UPPER" && word != "SAME_LOWER") return;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const std::int64_t out = (in[i] + sides[i].stride - 1) / sides[i].stride;
    const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * sides[i].stride + sides[i].span() - in[i]);
    sides[i].pad_before = word == "SAME_UPPER" ? total / 2 : total - total / 2;
    sides[i].pad_after = total - sides[i].pad_before;
  }
}

std::int64_t positions(const WindowSide& side, std::int64_t in, bool rounds_up) {
  const std::int64_t room = in + side.padding() - side.span();
  if (room < 0) throw Refusal("has a window that is larger than its padded input");
  std::int64_t count = room / side.stride + 1;
  // The last, partial window must start before the padding at the end.
  if (rounds_up && room % side.stride != 0 && count * side.stride < in + side.pad_before) ++count;
  return count;
}

/// Symmetric padding that gives `out` positions without dilation; none if there is none.
std::optional<std::int64_t> symmetric_padding(const WindowSide& side, std::int64_t stride, std::int64_t in,
                                              std::int64_t out) {
  if (side.dilation != 1 && side.kernel != 1) return std::nullopt;
  for (std::int64_t padding = (side.padding() + 1) / 2; padding <= (side.padding() + 1) / 2 + 1; ++padding) {
    const std::int64_t room = in + 2 * padding - side.kernel;
    if (room >= 0 && room / stride + 1 == out) return padding;
  }
  return std::nullopt;
}

/// Window in an operator graph, and the size of the map that it reads.
struct FittedWindow {
  ConvolutionWindow window;
  std::array<std::int64_t, 2> in{};
};

/// Windows of an operator graph have one stride, symmetric padding and no dilation. If the file's window needs more, it
/// reads a map that is cropped or padded to the positions that it needs.
FittedWindow fit(const WindowSides& sides, const std::array<std::int64_t, 2>& in,
                 const std::array<std::int64_t, 2>& out) {
  FittedWindow fitted;
  fitted.window.kernel = {sides[0].kernel, sides[1].kernel};
  // The stride of a side with one position does not matter.
  fitted.window.stride = out[0] == 1   ? sides[1].stride
                         : out[1] == 1 ? sides[0].stride
                                       : std::min(sides[0].stride, sides[1].stride);
  std::array<std::int64_t, 2> padding{};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto symmetric = symmetric_padding(sides[i], fitted.window.stride, in[i], out[i]);
    padding[i] = symmetric.value_or(0);
    fitted.in[i] = symmetric ? in[i] : (out[i] - 1) * fitted.window.stride + sides[i].kernel;
  }
  fitted.window.padding = {padding[0], padding[1]};
  return fitted;
}

/// Shape of an output map in the file's order, with the input's number of dimensions.
Shape output_shape(const Shape& in, std::int64_t channels, const std::array<std::int64_t, 2>& sides) {
  if (in.size() == 3) return {in[0], channels, sides[1]};
  return {in[0], channels, sides[0], sides[1]};
}

/// Feature map, or several if the batch dimension holds maps.
Tensor map_tensor(const Shape& in, std::int64_t channels, const std::array<std::int64_t, 2>& sides) {
  elements_of({in[0], channels, sides[0], sides[1]});
  if (in[0] == 1) return {{sides[0], sides[1], channels}};
  return {{in[0], sides[0], sides[1], channels}};
}

/// Input 0, resized to the map that a fitted window reads.
DraftId window_input(NodeCall& call, const FittedWindow& fitted) {
  const Shape& shape = call.shape(0);
  const std::array<std::int64_t, 2> given = map_sides(shape);
  const DraftId draft = call.view(call.laid_out(0, 1), map_tensor(shape, shape[1], given));
  if (given == fitted.in) return draft;
  const bool grows = fitted.in[0] >= given[0] && fitted.in[1] >= given[1];
  const bool shrinks = fitted.in[0] <= given[0] && fitted.in[1] <= given[1];
  return call.add(grows     ? OperatorKind::pad
                  : shrinks ? OperatorKind::crop
                            : OperatorKind::gather,
                  "window_input", map_tensor(shape, shape[1], fitted.in), {draft});
}

void count_bias(NodeCall& call, Operator& op, std::size_t input) {
  if (call.has(input)) op.parameters += call.take_parameters(input, true);
}

void read_pool(NodeCall& call, OperatorKind kind) {
  const Shape& shape = call.shape(0);
  WindowSides sides = read_sides(call, call.attribute("kernel_shape", std::vector<std::int64_t>{}));
  const std::array<std::int64_t, 2> in = map_sides(shape);
  pad_automatically(call, sides, in);
  const bool rounds_up = call.attribute("ceil_mode", 0) != 0;
  const std::array<std::int64_t, 2> out{positions(sides[0], in[0], rounds_up), positions(sides[1], in[1], rounds_up)};
  const Shape result = output_shape(shape, shape[1], out);
  if (!call.is_active(0)) return call.give_constant(0, result, {}, true);
  const FittedWindow fitted = fit(sides, in, out);
  Operator op;
  op.kind = kind;
  op.role = name_of(kind);
  op.window = fitted.window;
  op.output = map_tensor(shape, shape[1], out);
  call.give(0, call.add(std::move(op), {window_input(call, fitted)}), result, 1);
}

}  // namespace

void read_convolution(NodeCall& call) {
  const Shape& shape = call.shape(0);
  const Shape& kernels = call.shape(1);
  if (kernels.size() < 3 || kernels.size() != shape.size()) throw Refusal("has kernels that do not match its input");
  WindowSides sides = read_sides(call, {kernels.begin() + 2, kernels.end()});
  const std::array<std::int64_t, 2> in = map_sides(shape);
  pad_automatically(call, sides, in);
  const std::array<std::int64_t, 2> out{positions(sides[0], in[0], false), positions(sides[1], in[1], false)};
  const std::int64_t groups = call.attribute("group", 1);
  const std::int64_t outputs = kernels[0];
  if (groups < 1 || groups > shape[1] || kernels[1] != shape[1] / groups || shape[1] % groups != 0 ||
      outputs % groups != 0) {
    throw Refusal(fmt::format("has kernels of {} channels in {} groups for an input of {} channels", kernels[1], groups,
                              shape[1]));
  }
  FittedWindow fitted = fit(sides, in, out);
  fitted.window.groups = groups;
  Operator op;
  op.kind = OperatorKind::convolution;
  op.role = "convolution";
  op.window = fitted.window;
  op.output = map_tensor(shape, outputs, out);
  op.product = checked_product(groups, op.output.elements() / outputs, fitted.window.kernel.area() * kernels[1],
                               outputs / groups);
  call.count_weights(op, 1);
  count_bias(call, op, 2);
  call.give(0, call.add(std::move(op), {window_input(call, fitted)}), output_shape(shape, outputs, out), 1);
}

namespace {

/// Height and width of a transposed convolution's output.
std::array<std::int64_t, 2> enlarged(const NodeCall& call, WindowSides& sides, const std::array<std::int64_t, 2>& in) {
  const std::size_t dimensions = call.shape(0).size() - 2;
  const std::vector<std::int64_t> asked = call.attribute("output_shape", std::vector<std::int64_t>{});
  const std::vector<std::int64_t> more = call.attribute("output_padding", std::vector<std::int64_t>{});
  const std::string word = call.attribute("auto_pad", std::string("NOTSET"));
  std::array<std::int64_t, 2> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t whole = (in[i] - 1) * sides[i].stride + sides[i].span() + entry(more, i, dimensions, 0);
    const bool same = word == "SAME_UPPER" || word == "SAME_LOWER";
    out[i] = entry(asked, i, dimensions, same ? in[i] * sides[i].stride : whole - sides[i].padding());
    if (out[i] < 1 || out[i] > whole + max_side) throw Refusal("has no output");
    if (dimensions == 1 && i == 0) out[i] = 1;
  }
  return out;
}

}  // namespace

void read_transposed_convolution(NodeCall& call) {
  const Shape& shape = call.shape(0);
  const Shape& kernels = call.shape(1);
  if (kernels.size() < 3 || kernels.size() != shape.size()) throw Refusal("has kernels that do not match its input");
  WindowSides sides = read_sides(call, {kernels.begin() + 2, kernels.end()});
  const std::array<std::int64_t, 2> in = map_sides(shape);
  const std::array<std::int64_t, 2> out = enlarged(call, sides, in);
  const std::int64_t groups = call.attribute("group", 1);
  if (groups < 1 || kernels[0] != shape[1] || shape[1] % groups != 0) {
    throw Refusal(fmt::format("has kernels for {} channels, but an input of {}", kernels[0], shape[1]));
  }
  const std::int64_t outputs = kernels[1] * groups;
  // The convolution from its output to its input.
  const FittedWindow fitted = fit(sides, out, in);
  Operator op;
  op.kind = OperatorKind::transposed_convolution;
  op.role = "transposed_convolution";
  op.window = fitted.window;
  op.window.groups = groups;
  op.output = map_tensor(shape, outputs, fitted.in);
  const DraftId input = window_input(call, {fitted.window, in});
  op.product = checked_product(groups, elements_of(shape) / shape[1], shape[1] / groups,
                               fitted.window.kernel.area() * kernels[1]);
  call.count_weights(op, 1);
  count_bias(call, op, 2);
  DraftId draft = call.add(std::move(op), {input});
  if (fitted.in != out)
    draft = call.add(OperatorKind::gather, "window_output", map_tensor(shape, outputs, out), {draft});
  call.give(0, draft, output_shape(shape, outputs, out), 1);
}

void read_max_pool(NodeCall& call) { read_pool(call, OperatorKind::max_pool); }

void read_average_pool(NodeCall& call) { read_pool(call, OperatorKind::average_pool); }

void read_global_pool(NodeCall& call) {
  const Shape& shape = call.shape(0);
  if (shape.size() < 3) throw Refusal("needs an input of 3 dimensions or more");
  Shape result = shape;
  std::fill(result.begin() + 2, result.end(), 1);
  if (!call.is_active(0)) return call.give_constant(0, result, {}, true);
  const DraftId input = call.laid_out(0, 1);
  if (shape[0] == 1) {
    return call.give(0, call.add(OperatorKind::global_pool, "global_pool", {{1, shape[1]}}, {input}), result, 1);
  }
  // One mean for each map in the batch dimension.
  const std::int64_t area = elements_of(shape) / shape[0] / shape[1];
  Operator op;
  op.kind = OperatorKind::average_pool;
  op.role = "global_pool";
  op.window.kernel = {1, area};
  op.output = {{shape[0], 1, shape[1]}};
  call.give(0, call.add(std::move(op), {call.view(input, {{shape[0], area, shape[1]}})}), result, 1);
}

}  // namespace pimsweep::workload::import
