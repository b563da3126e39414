#include "workload/import/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "workload/import/refusal.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::int64_t max_elements = std::int64_t{1} << 53;
constexpr std::size_t max_rank = 16;

}  // namespace

std::int64_t elements_of(const Shape& shape) {
  if (shape.size() > max_rank) throw Refusal(fmt::format("has a tensor of {} dimensions", shape.size()));
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 1) throw Refusal(fmt::format("has a tensor of {} elements", fmt::join(shape, " x ")));
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > max_elements) {
      throw Refusal(fmt::format("has a tensor of {} elements, more than 2^53", fmt::join(shape, " x ")));
    }
  }
  return elements;
}

Tensor channels_last(const Shape& shape, std::size_t channel) {
  Tensor tensor;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != channel) tensor.shape.push_back(shape[i]);
  }
  const bool is_sequence = channel >= shape.size() && shape.size() <= 2;
  if (channel < shape.size() || is_sequence) tensor.shape.push_back(is_sequence ? 1 : shape[channel]);
  if (tensor.shape.size() == 1) tensor.shape.insert(tensor.shape.begin(), 1);
  if (tensor.shape.size() > 2 && tensor.shape.front() == 1) tensor.shape.erase(tensor.shape.begin());
  constexpr std::size_t max_extents = 3;
  while (tensor.shape.size() > max_extents) {
    tensor.shape[1] *= tensor.shape[0];
    tensor.shape.erase(tensor.shape.begin());
  }
  return tensor;
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      throw Refusal(fmt::format("combines tensors of {} and {} elements, which cannot be broadcast",
                                fmt::join(a, " x "), fmt::join(b, " x ")));
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  elements_of(result);
  return result;
}

std::size_t reshaped_channel(const Shape& from, std::size_t channel, const Shape& to) {
  if (to.empty()) return 0;
  if (channel >= from.size()) return channel == from.size() && from.size() == to.size() ? channel : to.size() - 1;
  std::size_t i = 0;
  std::size_t j = 0;
  // Splits both shapes into runs of dimensions with equal products until it finds the run with the channels.
  while (i < from.size() && j < to.size()) {
    const std::size_t first = j;
    std::int64_t left = from[i++];
    std::int64_t right = to[j++];
    while (left != right && (left < right ? i < from.size() : j < to.size())) {
      if (left < right) {
        left *= from[i++];
      } else {
        right *= to[j++];
      }
    }
    if (channel >= i) continue;
    for (std::size_t k = j; k-- > first;) {
      if (to[k] != 1 || k == first) return k;
    }
  }
  return to.size() - 1;
}

std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t index = axis < 0 ? axis + count : axis;
  if (index < 0 || index >= count)
    throw Refusal(fmt::format("has axis {}, but its tensor has {} dimensions", axis, rank));
  return static_cast<std::size_t>(index);
}

}  // namespace pimsweep::workload::import
