#pragma once

#include <cstdint>

#include "workload/families/hierarchy.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

/// Pads a feature map {h, w, c} to {height, width, c}; the map itself where it already has that size.
OperatorId pad_map(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width);

/// Partitions a feature map into {windows, height x width, c}, padding it up to whole windows.
OperatorId partition(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width);

/// The inverse: windows of `height` x `width` tokens back to a map {rows, columns, c}, padding cut off.
OperatorId unpartition(GraphBuilder& builder, OperatorId windows, std::int64_t rows, std::int64_t columns,
                       std::int64_t height, std::int64_t width);

/// Scores, a relative-position bias of `bias_table` learned values (none if 0), softmax and context.
OperatorId attend(GraphBuilder& builder, OperatorId q, OperatorId k, OperatorId v, std::int64_t heads,
                  std::int64_t bias_table = 0);

/// Multi-head self-attention within each group of tokens {..., tokens, channels}, with its output projection.
OperatorId self_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t bias_table = 0);

/// Global attention whose keys and values come from a map sub-sampled by a strided convolution with normalisation
/// (reduction 1: none), with its output projection. `tokens` is {tokens, channels}; the map is `side` x `side`.
OperatorId reduced_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t side,
                             std::int64_t reduction);

/// Layer normalisation, two linear layers with GELU between, and the residual sum.
OperatorId feed_forward(GraphBuilder& builder, OperatorId x, std::int64_t hidden);

/// Final normalisation, mean over tokens and classifier.
void classify(GraphBuilder& builder, OperatorId x, std::int64_t classes);

}  // namespace pimsweep::workload::families
