#pragma once

#include <cstdint>
#include <optional>

#include "workload/import/onnx_model.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// Extents up to 2^53 in all, which real numbers still count one by one. Throws Refusal beyond that and for negative
/// extents.
std::int64_t elements_of(const Shape& shape);

/// The extents of a tensor of this project: without the batch, which is a leading 1, and with the channels last. A
/// sequence without channels (`channel` is its rank) gets one. There are at most three: all further ones, as those of
/// windows and heads, count groups, as in the families of models.
Tensor channels_last(const Shape& shape, std::size_t channel);

/// The shape of an element-wise operation of two tensors, as in NumPy. Throws Refusal if they do not fit.
Shape broadcast(const Shape& a, const Shape& b);

/// Where the channels of `from` are in `to`, which has the same elements in the same order.
std::size_t reshaped_channel(const Shape& from, std::size_t channel, const Shape& to);

/// An axis that may count from the end. Throws Refusal if there is no such axis.
std::size_t axis_of(std::int64_t axis, std::size_t rank);

}  // namespace pimsweep::workload::import
