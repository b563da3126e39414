#pragma once

#include <cstdint>
#include <optional>

#include "workload/import/onnx_model.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// Number of elements, at most 2^53, which doubles represent exactly. Throws Refusal above that and for extents below
/// 1.
std::int64_t elements_of(const Shape& shape);

/// Tensor of an operator graph: without the batch, which is a leading 1, and with channels last. A sequence without
/// channels (`channel` is its rank) gets one channel. The result has at most three dimensions: further ones, such as
/// windows and heads, are merged into groups, as in the model families.
Tensor channels_last(const Shape& shape, std::size_t channel);

/// Shape of two tensors broadcast together, as in NumPy. Throws Refusal if they cannot be.
Shape broadcast(const Shape& a, const Shape& b);

/// Channel dimension of `to`, which has the same elements as `from` in the same order.
std::size_t reshaped_channel(const Shape& from, std::size_t channel, const Shape& to);

/// Index of an axis, which may count from the end. Throws Refusal if there is no such axis.
std::size_t axis_of(std::int64_t axis, std::size_t rank);

}  // namespace pimsweep::workload::import
