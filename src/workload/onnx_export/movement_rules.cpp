#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "workload/onnx_export/rules.h"

namespace pimsweep::workload::onnx_export {

void write_input(OperatorWriter& w) {
  if (w.is_only_embedded()) return w.give_input({w.output()[0]}, Layout::channels_last, true);
  const Layout layout = w.rank() == 3 ? Layout::channels_first : Layout::channels_last;
  w.give_input(shape_in(layout, w.output()), layout, false);
}

void write_embedding(OperatorWriter& w) {
  const std::int64_t channels = w.output().back();
  std::string words = w.written(0).name;
  if (!w.written(0).is_index) {
    constexpr std::int64_t int64 = onnx::TensorProto::INT64;
    words = w.node("Cast", {w.reshape(w.last(0), {w.source(0).output.elements()})}, {{"to", int64}});
  }
  const std::string rows = w.node("Gather", {w.table({w.op().parameters / channels, channels}), words});
  w.give_last(w.rank() == 2 ? rows : w.reshape(rows, shape_in(Layout::channels_last, w.output())));
}

namespace {

/// Dimension along which learned values and the inputs are concatenated; none if there is none.
std::optional<std::size_t> joined_axis(OperatorWriter& w) {
  const Shape& out = w.output();
  for (std::size_t axis = 0; axis < out.size(); ++axis) {
    const std::int64_t others = w.op().output.elements() / out[axis];
    if (w.op().parameters % others != 0) continue;
    std::int64_t total = w.op().parameters / others;
    bool fits = true;
    for (std::size_t i = 0; i < w.inputs(); ++i) {
      Shape part = w.shape(i);
      fits = fits && part.size() == out.size();
      if (!fits) break;
      total += std::exchange(part[axis], out[axis]);
      fits = part == out;
    }
    if (fits && total == out[axis]) return axis;
  }
  return std::nullopt;
}

}  // namespace

void write_concat(OperatorWriter& w) {
  const std::optional<std::size_t> axis = joined_axis(w);
  if (!axis) throw import::Refusal("joins tensors that do not line up along one dimension");
  const Layout layout = w.layout(0);
  std::vector<std::string> parts;
  if (w.op().parameters != 0) {
    Shape shape = w.output();
    shape[*axis] = w.op().parameters / (w.op().output.elements() / shape[*axis]);
    parts.push_back(w.learned("values", shape_in(layout, shape)));
  }
  for (std::size_t i = 0; i < w.inputs(); ++i) parts.push_back(w.in(i, layout));
  w.give(w.node("Concat", parts, {{"axis", axis_in(layout, w.rank(), *axis)}}), layout);
}

void write_slice(OperatorWriter& w) {
  const std::string& role = w.op().role;
  if (role.starts_with("reduce_") || role.starts_with("arg_")) {
    throw import::Refusal(fmt::format("is the reduction '{}'", role));
  }
  const Shape& from = w.shape(0);
  if (from.size() != w.rank() || !std::ranges::equal(w.output(), from, std::ranges::less_equal())) {
    // A gather of some elements in another order, in the form that the importer recognizes.
    const std::string flat = w.reshape(w.last(0), {-1});
    const std::int64_t start = w.take_elements();
    const std::string end = w.integers({start + w.op().output.elements()});
    const std::string part = w.node("Slice", {flat, w.integers({start}), end});
    return w.give_last(w.reshape(part, shape_in(Layout::channels_last, w.output())));
  }
  // A crop keeps the front; slices of one tensor take one part after another.
  const Shape first = w.op().kind == OperatorKind::crop ? Shape(w.rank(), 0) : w.take_part();
  const Layout layout = w.layout(0);
  Shape starts;
  Shape ends;
  Shape axes;
  for (std::size_t i = 0; i < w.rank(); ++i) {
    if (w.output()[i] == from[i]) continue;
    starts.push_back(first[i]);
    ends.push_back(first[i] + w.output()[i]);
    axes.push_back(axis_in(layout, w.rank(), i));
  }
  const std::string x = w.in(0, layout);
  w.give(w.node("Slice", {x, w.integers(starts), w.integers(ends), w.integers(axes)}), layout);
}

void write_pad(OperatorWriter& w) {
  const Layout layout = w.layout(0);
  const Shape from = shape_in(layout, w.shape(0));
  const Shape to = shape_in(layout, w.output());
  if (from.size() != to.size()) throw import::Refusal("pads a tensor to other dimensions");
  Shape pads(from.size(), 0);
  for (std::size_t i = 0; i < to.size(); ++i) pads.push_back(to[i] - from[i]);
  w.give(w.node("Pad", {w.in(0, layout), w.integers(pads)}), layout);
}

namespace {

/// Height and width of the windows that a map is divided into; square ones if there are such, else stripes of whole
/// rows. None if no windows fit.
std::optional<Extent> window_of(const Extent& map, std::int64_t windows, std::int64_t area) {
  std::optional<Extent> found;
  for (std::int64_t height = 1; height <= map.height; ++height) {
    if (map.height % height != 0 || area % height != 0 || map.width % (area / height) != 0) continue;
    const Extent window{height, area / height};
    if (map.area() != windows * area) continue;
    if (window.height == window.width) return window;
    if (!found || window.width == map.width) found = window;
  }
  return found;
}

/// {h, w, c} as windows {n, area, c}, or windows as a map.
bool write_windows(OperatorWriter& w) {
  const Shape& from = w.shape(0);
  const Shape& to = w.output();
  const std::string& role = w.op().role;
  const bool divides = role == "partition";
  if ((!divides && role != "unpartition") || from.size() != 3 || to.size() != 3) return false;
  const Shape& map = divides ? from : to;
  const Shape& windows = divides ? to : from;
  const std::optional<Extent> window = window_of({map[0], map[1]}, windows[0], windows[1]);
  if (!window || map[2] != windows[2]) return false;
  const std::int64_t rows = map[0] / window->height;
  const std::int64_t columns = map[1] / window->width;
  const Shape of_map{rows, window->height, columns, window->width, map[2]};
  const Shape of_windows{rows, columns, window->height, window->width, map[2]};
  const std::string split = w.reshape(w.last(0), divides ? of_map : of_windows);
  const std::string moved = w.node("Transpose", {split}, {{"perm", Shape{0, 2, 1, 3, 4}}});
  w.give_last(w.reshape(moved, shape_in(Layout::channels_last, to)));
  return true;
}

/// Blocks of positions as channels: {b h, b w, c} to {h, w, b b c}, or back.
bool write_blocks(OperatorWriter& w) {
  const Shape& from = w.shape(0);
  const Shape& to = w.output();
  if (from.size() != 3 || to.size() != 3 || from[2] == to[2]) return false;
  const bool to_channels = to[2] > from[2];
  const Shape& map = to_channels ? from : to;
  const Shape& blocks = to_channels ? to : from;
  const std::int64_t side = map[0] / blocks[0];
  if (map[0] != side * blocks[0] || map[1] != side * blocks[1] || blocks[2] != side * side * map[2]) return false;
  w.give(w.node(to_channels ? "SpaceToDepth" : "DepthToSpace", {w.map(0)}, {{"blocksize", side}}),
         Layout::channels_first);
  return true;
}

/// {.., rows, c} to {.., rows} with the channels among the leading dimensions.
bool write_transposed(OperatorWriter& w) {
  const Shape& from = w.shape(0);
  if (from.size() < 2 || w.rank() < 2 || w.output().back() == from.back()) return false;
  if (w.output().back() != from[from.size() - 2] || w.output()[w.rank() - 2] % from.back() != 0) return false;
  Shape order;
  const auto rank = static_cast<std::int64_t>(shape_in(Layout::channels_last, from).size());
  for (std::int64_t i = 0; i + 2 < rank; ++i) order.push_back(i);
  order.push_back(rank - 1);
  order.push_back(rank - 2);
  const std::string turned = w.node("Transpose", {w.last(0)}, {{"perm", order}});
  w.give_last(w.reshape(turned, shape_in(Layout::channels_last, w.output())));
  return true;
}

}  // namespace

void write_reshape(OperatorWriter& w) {
  if (write_windows(w) || write_blocks(w) || write_transposed(w)) return;
  const Shape& from = w.shape(0);
  const Shape& to = w.output();
  if (from.size() == 3 && w.layout(0) == Layout::channels_first && to == Shape{1, w.op().output.elements()}) {
    return w.give_last(w.node("Flatten", {w.map(0)}));
  }
  if (to.size() == 3 && from == Shape{1, w.op().output.elements()}) {
    return w.give(w.reshape(w.last(0), shape_in(Layout::channels_first, to)), Layout::channels_first);
  }
  w.give_last(w.reshape(w.last(0), shape_in(Layout::channels_last, to)));
}

void write_gather(OperatorWriter& w) {
  const Shape& from = w.shape(0);
  const Shape& to = w.output();
  const std::int64_t channels = to.back();
  if (w.rank() == 3 && w.source(0).output.elements() == channels) {
    const std::string vector = w.reshape(w.last(0), {1, channels, 1, 1});
    const std::string extents = w.integers(shape_in(Layout::channels_first, to));
    return w.give(w.node("Expand", {vector, extents}), Layout::channels_first);
  }
  if (w.rank() == 3 && from.size() == 3 && from.back() == channels && w.op().role == "resize") {
    const std::string sizes = w.integers(shape_in(Layout::channels_first, to));
    return w.give(w.node("Resize", {w.map(0), "", "", sizes}, {{"mode", std::string("nearest")}}),
                  Layout::channels_first);
  }
  const std::int64_t row = from.back() == channels ? channels : 1;
  const std::string rows = w.reshape(w.last(0), {-1, row});
  const std::string copies = w.node("Gather", {rows, w.indices("rows", {w.op().output.elements() / row})});
  w.give_last(w.reshape(copies, shape_in(Layout::channels_last, to)));
}

void write_roll(OperatorWriter& w) {
  // By how much is not part of a graph: the order of the rows and of the columns is an input.
  const Layout layout = w.layout(0);
  std::string x = w.in(0, layout);
  const std::size_t height = w.rank() < 3 ? 0 : w.rank() - 3;
  for (std::size_t axis = height; axis + 1 < w.rank(); ++axis) {
    const std::string order = w.indices(axis == height ? "rows" : "columns", {w.output()[axis]});
    x = w.node("Gather", {x, order}, {{"axis", axis_in(layout, w.rank(), axis)}});
  }
  w.give(x, layout);
}

}  // namespace pimsweep::workload::onnx_export
