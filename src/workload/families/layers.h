#pragma once

#include <cstdint>

#include "workload/families/hierarchy.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

/// Pads a feature map {h, w, c} to {height, width, c}; returns the map itself if it has that size already.
OperatorId pad_map(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width);

/// Partitions a feature map, padded to whole windows, into {windows, height x width, c}.
OperatorId partition(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width);

/// Reverses partition(): joins windows of `height` x `width` tokens to a map and crops it to {rows, columns, c}.
OperatorId unpartition(GraphBuilder& builder, OperatorId windows, std::int64_t rows, std::int64_t columns,
                       std::int64_t height, std::int64_t width);

/// Attention: scores, a relative position bias of `bias_table` learned values (none if 0), softmax and context.
OperatorId attend(GraphBuilder& builder, OperatorId q, OperatorId k, OperatorId v, std::int64_t heads,
                  std::int64_t bias_table = 0);

/// Multi-head self-attention within each group of tokens {..., tokens, channels}, with its output projection.
OperatorId self_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t bias_table = 0);

/// Global attention with its output projection, whose keys and values come from a map sub-sampled by a strided
/// convolution with normalization (none if `reduction` is 1). `tokens` is {tokens, channels}; the map is `side` x
/// `side`.
OperatorId reduced_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t side,
                             std::int64_t reduction);

/// Layer normalization, two linear layers with GELU between them, and the residual sum.
OperatorId feed_forward(GraphBuilder& builder, OperatorId x, std::int64_t hidden);

/// Appends the final normalization, the mean over all tokens and the classifier.
void classify(GraphBuilder& builder, OperatorId x, std::int64_t classes);

}  // namespace pimsweep::workload::families
