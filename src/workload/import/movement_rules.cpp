#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/downward.h"
#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

/// Channel dimension after a dimension at an earlier position was removed or inserted.
std::size_t without(std::size_t channel, std::size_t removed, std::size_t rank) {
  if (channel == removed) return rank == 0 ? 0 : rank - 1;
  return channel > removed ? channel - 1 : channel;
}

/// Axes of Squeeze (of its input) or Unsqueeze (of its result), a tensor of `rank` dimensions, ascending.
std::vector<std::size_t> sorted_axes(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<std::size_t> sorted;
  sorted.reserve(axes.size());
  for (const std::int64_t axis : axes) sorted.push_back(axis_of(axis, rank));
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw Refusal("has an axis twice");
  return sorted;
}

/// Slice if a copy has fewer elements than its input, otherwise gather.
OperatorKind kind_of_copy(const Shape& from, const Shape& to) {
  return elements_of(to) <= elements_of(from) ? OperatorKind::slice : OperatorKind::gather;
}

/// Reduces a batch in the shape of an output to one sample.
void take_one_sample(NodeCall& call, Shape& shape) {
  const SampleAxes* samples = call.state().samples;
  if (samples == nullptr) return;
  const std::int64_t elements = elements_of(shape);
  if (elements % samples->extent != 0 || elements / samples->extent != elements_of(call.shape(0))) return;
  const auto found = samples->axes.find(call.node().outputs.front());
  if (found != samples->axes.end()) shape.at(found->second) /= samples->extent;
}

void give_reshaped(NodeCall& call, Shape shape) {
  take_one_sample(call, shape);
  if (elements_of(shape) != elements_of(call.shape(0))) {
    throw Refusal(fmt::format("makes {} elements of {}; a batch that is fixed in the file must be 1",
                              elements_of(shape), elements_of(call.shape(0))));
  }
  const std::size_t channel = reshaped_channel(call.shape(0), call.in(0).channel, shape);
  call.give_alias(0, std::move(shape), channel);
}

}  // namespace

void read_reshape(NodeCall& call) {
  const Shape& from = call.shape(0);
  Shape shape = call.has_attribute("shape") ? call.attribute("shape", std::vector<std::int64_t>{}) : call.integers(1);
  if (from == Shape{0}) throw Refusal("reshapes an empty tensor");
  const bool keeps_zero = call.attribute("allowzero", std::int64_t{0}) != 0;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !keeps_zero && i < from.size()) shape[i] = from[i];
    if (shape[i] != -1) continue;
    if (open) throw Refusal("has a shape with two open dimensions");
    open = i;
    shape[i] = 1;
  }
  if (open) shape[*open] = elements_of(from) / elements_of(shape);
  give_reshaped(call, std::move(shape));
}

void read_flatten(NodeCall& call) {
  const Shape& from = call.shape(0);
  const std::int64_t axis = call.attribute("axis", std::int64_t{1});
  const std::size_t cut = axis == static_cast<std::int64_t>(from.size()) ? from.size() : axis_of(axis, from.size());
  const auto middle = from.begin() + static_cast<std::ptrdiff_t>(cut);
  give_reshaped(call, {elements_of({from.begin(), middle}), elements_of({middle, from.end()})});
}

void read_squeeze(NodeCall& call) {
  Shape shape = call.shape(0);
  std::size_t channel = call.in(0).channel;
  std::vector<std::size_t> axes;
  if (const auto given = call.setting("axes", 1)) {
    axes = sorted_axes(*given, shape.size());
  } else {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) axes.push_back(i);
    }
  }
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (shape[*axis] != 1) throw Refusal(fmt::format("removes a dimension of {} elements", shape[*axis]));
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    channel = without(channel, *axis, shape.size());
  }
  call.give_alias(0, std::move(shape), channel);
}

void read_unsqueeze(NodeCall& call) {
  Shape shape = call.shape(0);
  std::size_t channel = call.in(0).channel;
  const std::vector<std::int64_t> given = call.setting("axes", 1).value_or(std::vector<std::int64_t>{});
  const bool is_scalar = shape.empty();
  for (const std::size_t axis : sorted_axes(given, shape.size() + given.size())) {
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    if (channel >= axis) ++channel;
  }
  call.give_alias(0, std::move(shape), is_scalar ? given.size() - 1 : channel);
}

void read_transpose(NodeCall& call) {
  const TensorValue& x = call.in(0);
  std::vector<std::int64_t> order = call.attribute("perm", std::vector<std::int64_t>{});
  if (order.empty()) {
    order.resize(x.shape.size());
    std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  }
  const std::vector<std::size_t> all = sorted_axes(order, x.shape.size());
  if (all.size() != x.shape.size()) throw Refusal("has an order that does not name each dimension once");
  Shape shape;
  std::size_t channel = order.size();
  // Channels are always stored last, so moving only them does not move data.
  bool moves = false;
  std::int64_t last = -1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = axis_of(order[i], x.shape.size());
    shape.push_back(x.shape[from]);
    if (from == x.channel) {
      channel = i;
    } else if (x.shape[from] != 1) {
      moves = moves || static_cast<std::int64_t>(from) < last;
      last = static_cast<std::int64_t>(from);
    }
  }
  if (moves || !x.is_active()) return call.map(OperatorKind::reshape, "transpose", shape, channel);
  call.give_alias(0, shape, channel);
}

void read_concat(NodeCall& call) {
  Shape shape = call.shape(0);
  const std::size_t axis = axis_of(call.attribute("axis", std::int64_t{0}), shape.size());
  std::size_t channel = shape.size() - 1;
  for (const std::size_t i : downward(call.inputs())) {
    if (call.is_active(i)) channel = call.in(i).channel;
  }
  shape[axis] = 0;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const Shape& part = call.shape(i);
    if (part == Shape{0}) continue;
    Shape fitting = part;
    if (part.size() == shape.size()) fitting[axis] = shape[axis];
    if (fitting != shape) throw Refusal("joins tensors that do not fit");
    shape[axis] += part[axis];
  }
  if (!call.any_active()) return call.give_constant(0, shape, {}, call.in(0).is_floating);
  Operator op;
  op.kind = OperatorKind::concat;
  op.role = "concat";
  std::vector<DraftId> drafts;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const std::int64_t learned = call.is_active(i) ? 0 : call.take_parameters(i, false);
    op.parameters += learned;
    // Learned constants are part of the operator; other constants are inputs.
    if (call.is_active(i) || learned != elements_of(call.shape(i))) drafts.push_back(call.laid_out(i, channel));
  }
  op.output = channels_last(shape, channel);
  call.give(0, call.add(std::move(op), drafts), shape, channel);
}

void read_split(NodeCall& call) {
  const TensorValue& x = call.in(0);
  const std::size_t axis = axis_of(call.attribute("axis", std::int64_t{0}), x.shape.size());
  const std::size_t count = call.node().outputs.size();
  std::vector<std::int64_t> parts = call.setting("split", 1).value_or(std::vector<std::int64_t>{});
  if (parts.empty()) {
    const auto parts_count = static_cast<std::int64_t>(count);
    // If the number of parts is an attribute, the last part may be smaller.
    const bool may_be_smaller = call.attribute("num_outputs", std::int64_t{0}) == parts_count;
    const bool divides = count != 0 && x.shape[axis] % parts_count == 0;
    if (count == 0 || (!divides && !may_be_smaller)) throw Refusal("does not divide its input into equal parts");
    parts.assign(count, x.shape[axis] / parts_count + (divides ? 0 : 1));
    parts.back() = x.shape[axis] - parts.front() * (parts_count - 1);
    if (parts.back() < 1) throw Refusal("has more parts than elements");
  }
  if (parts.size() != count || std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) != x.shape[axis]) {
    throw Refusal("has parts that do not make up its input");
  }
  for (std::size_t i = 0; i < count; ++i) {
    Shape shape = x.shape;
    shape[axis] = parts[i];
    call.map(OperatorKind::slice, "split", std::move(shape), x.channel, i);
  }
}

namespace {

/// Number of elements that a slice keeps out of `extent`.
std::int64_t kept(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  if (step == 0) throw Refusal("has a step of 0");
  const auto clamped = [&](std::int64_t place) {
    if (place < 0) place = std::max(place, -extent - 1) + extent;
    return step > 0 ? std::clamp<std::int64_t>(place, 0, extent) : std::clamp<std::int64_t>(place, -1, extent - 1);
  };
  const std::int64_t first = clamped(start);
  // A backward slice that includes the first element ends before -extent.
  const std::int64_t last = step < 0 && end < -extent ? -1 : clamped(end);
  const std::int64_t span = step > 0 ? last - first : first - last;
  const std::int64_t stride = step > 0 ? step : step == std::numeric_limits<std::int64_t>::min() ? extent : -step;
  return span <= 0 ? 0 : (span - 1) / stride + 1;
}

}  // namespace

void read_slice(NodeCall& call) {
  const TensorValue& x = call.in(0);
  const std::vector<std::int64_t> starts = call.setting("starts", 1).value_or(std::vector<std::int64_t>{});
  const std::vector<std::int64_t> ends = call.setting("ends", 2).value_or(std::vector<std::int64_t>{});
  std::vector<std::int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  axes = call.setting("axes", 3).value_or(axes);
  const std::vector<std::int64_t> steps = call.has(4) ? call.integers(4) : std::vector<std::int64_t>(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size()) {
    throw Refusal("has starts, ends, axes and steps of different lengths");
  }
  Shape shape = x.shape;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], shape.size());
    shape[axis] = kept(x.shape[axis], starts[i], ends[i], steps[i]);
  }
  if (!x.is_active() && shape == Shape{0}) return call.give_constant(0, shape);
  elements_of(shape);
  if (x.is_active() && shape == x.shape) return call.give_alias(0, shape, x.channel);
  call.map(OperatorKind::slice, "slice", shape, x.channel);
}

void read_gather(NodeCall& call) {
  const TensorValue& data = call.in(0);
  const TensorValue& indices = call.in(1);
  const std::size_t axis = axis_of(call.attribute("axis", std::int64_t{0}), data.shape.size());
  const auto cut = data.shape.begin() + static_cast<std::ptrdiff_t>(axis);
  Shape shape(data.shape.begin(), cut);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), cut + 1, data.shape.end());
  elements_of(shape);
  if (!data.is_active() && indices.is_active()) {
    const std::int64_t rows = elements_of(data.shape);
    Operator op;
    op.kind = OperatorKind::embedding;
    op.role = "embedding";
    op.parameters = call.take_parameters(0, true);
    op.weight_bits = call.quantized_bits(0);
    if (axis != 0 || data.shape.size() != 2 || rows % shape.back() != 0)
      throw Refusal("does not look up rows of a table");
    op.output = channels_last(shape, shape.size() - 1);
    return call.give(0, call.add(std::move(op), {call.draft(1)}), shape, shape.size() - 1);
  }
  std::size_t channel = data.channel;
  if (channel >= axis)
    channel = channel == axis && indices.shape.empty() ? (shape.empty() ? 0 : shape.size() - 1)
                                                       : channel + indices.shape.size() - 1;
  call.map(kind_of_copy(data.shape, shape), "gather", shape, channel);
}

void read_scatter(NodeCall& call) {
  const TensorValue& data = call.in(0);
  if (!call.any_active()) return call.give_constant(0, data.shape, {}, data.is_floating);
  const DraftId base = call.draft(0);
  // Copies all elements and replaces some.
  call.give(0, call.add(OperatorKind::gather, "scatter", channels_last(data.shape, data.channel), {base}), data.shape,
            data.channel);
}

namespace {

/// Pads of some axes, extended to all axes.
std::vector<std::int64_t> for_all_axes(const std::vector<std::int64_t>& pads, const std::vector<std::int64_t>& axes,
                                       std::size_t rank) {
  if (pads.size() != 2 * axes.size()) throw Refusal("has pads that do not suit its axes");
  std::vector<std::int64_t> all(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], rank);
    all[axis] = pads[i];
    all[axis + rank] = pads[i + axes.size()];
  }
  return all;
}

}  // namespace

void read_pad(NodeCall& call) {
  const TensorValue& x = call.in(0);
  std::vector<std::int64_t> pads = call.setting("pads", 1).value_or(std::vector<std::int64_t>{});
  if (call.has(3)) pads = for_all_axes(pads, call.integers(3), x.shape.size());
  if (pads.size() != 2 * x.shape.size()) throw Refusal("has pads that do not suit its input");
  Shape shape = x.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (__builtin_add_overflow(shape[i], pads[i], &shape[i]) ||
        __builtin_add_overflow(shape[i], pads[i + shape.size()], &shape[i])) {
      throw Refusal("has pads that are too large");
    }
  }
  if (x.is_active() && shape == x.shape) return call.give_alias(0, shape, x.channel);
  const OperatorKind kind = elements_of(shape) >= elements_of(x.shape) ? OperatorKind::pad : OperatorKind::crop;
  call.map(kind, "pad", shape, x.channel);
}

namespace {

/// Scales of the axes that a Resize names, or of all axes.
std::vector<double> read_scales(const NodeCall& call) {
  const bool is_new = call.node().type == "Resize" && call.opset() >= 11;
  const auto found = call.node().attributes.find("scales");
  return found != call.node().attributes.end() ? found->second.reals : call.numbers(is_new ? 2 : 1);
}

/// Scale shared by all axes, from keep_aspect_ratio_policy; none if each axis has its own.
std::optional<double> common_scale(const NodeCall& call, const std::vector<std::int64_t>& sizes,
                                   const std::vector<std::size_t>& axes) {
  const std::string policy = call.attribute("keep_aspect_ratio_policy", std::string("stretch"));
  if (policy == "stretch") return std::nullopt;
  std::vector<double> scales;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    scales.push_back(static_cast<double>(sizes[i]) / static_cast<double>(call.shape(0)[axes[i]]));
  }
  if (scales.empty()) throw Refusal("resizes no axis");
  return policy == "not_larger" ? std::ranges::min(scales) : std::ranges::max(scales);
}

std::int64_t resized(double size) {
  if (!(size >= 1 && size < 0x1p53)) throw Refusal("has a scale out of range");
  return static_cast<std::int64_t>(size);
}

}  // namespace

void read_resize(NodeCall& call) {
  const TensorValue& x = call.in(0);
  Shape shape = x.shape;
  std::vector<std::int64_t> named(shape.size());
  std::iota(named.begin(), named.end(), std::int64_t{0});
  named = call.attribute("axes", named);
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : named) axes.push_back(axis_of(axis, shape.size()));
  if (call.has(3) && call.in(3).has_numbers()) {
    const std::vector<std::int64_t> sizes = call.integers(3);
    if (sizes.size() != axes.size()) throw Refusal("has sizes that do not suit its input");
    const std::optional<double> scale = common_scale(call, sizes, axes);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      shape[axes[i]] = scale ? resized(std::round(static_cast<double>(shape[axes[i]]) * *scale)) : sizes[i];
    }
  } else {
    const std::vector<double> scales = read_scales(call);
    if (scales.size() != axes.size()) throw Refusal("has scales that do not suit its input");
    for (std::size_t i = 0; i < axes.size(); ++i) {
      shape[axes[i]] = resized(std::floor(static_cast<double>(shape[axes[i]]) * scales[i]));
    }
  }
  if (x.is_active() && shape == x.shape) return call.give_alias(0, shape, x.channel);
  elements_of(shape);
  call.map(OperatorKind::gather, "resize", shape, x.channel);
}

namespace {

/// Sets the output to a copy with elements repeated along some dimensions.
void give_repeated(NodeCall& call, const Shape& shape, std::string_view role) {
  const TensorValue& x = call.in(0);
  const std::size_t channel = std::min(x.channel, x.shape.size()) + shape.size() - x.shape.size();
  if (elements_of(shape) == elements_of(x.shape)) return call.give_alias(0, shape, channel);
  call.map(OperatorKind::gather, role, shape, channel);
}

}  // namespace

void read_expand(NodeCall& call) { give_repeated(call, broadcast(call.shape(0), call.integers(1)), "broadcast"); }

void read_tile(NodeCall& call) {
  Shape shape = call.shape(0);
  const std::vector<std::int64_t> repeats = call.integers(1);
  if (repeats.size() != shape.size()) throw Refusal("has repeats that do not suit its input");
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (__builtin_mul_overflow(shape[i], repeats[i], &shape[i])) throw Refusal("has repeats that are too large");
  }
  give_repeated(call, shape, "tile");
}

namespace {

/// Moves blocks of positions to channels or, with `to_space`, back.
void give_blocks(NodeCall& call, bool to_space) {
  const Shape& from = call.shape(0);
  const std::int64_t block = call.attribute("blocksize", std::int64_t{1});
  if (from.size() != 4 || block < 1 || block > 4096) throw Refusal("needs a map and a block size of 1 to 4096");
  const std::int64_t area = block * block;
  const bool fits = to_space ? from[1] % area == 0 : from[2] % block == 0 && from[3] % block == 0;
  if (!fits) throw Refusal("has an input that its blocks do not divide");
  const Shape shape = to_space ? Shape{from[0], from[1] / area, from[2] * block, from[3] * block}
                               : Shape{from[0], from[1] * area, from[2] / block, from[3] / block};
  call.map(OperatorKind::reshape, to_space ? "depth_to_space" : "space_to_depth", shape, 1);
}

}  // namespace

void read_depth_to_space(NodeCall& call) { give_blocks(call, true); }

void read_space_to_depth(NodeCall& call) { give_blocks(call, false); }

}  // namespace pimsweep::workload::import
