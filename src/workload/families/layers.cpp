#include "workload/families/layers.h"

#include <vector>

#include "base/integer_math.h"

namespace pimsweep::workload::families {

OperatorId pad_map(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width) {
  std::vector<std::int64_t> shape = builder.output(map).shape;
  if (shape[0] == height && shape[1] == width) return map;
  shape[0] = height;
  shape[1] = width;
  return builder.move(OperatorKind::pad, map, std::move(shape), "pad");
}

OperatorId partition(GraphBuilder& builder, OperatorId map, std::int64_t height, std::int64_t width) {
  const std::vector<std::int64_t> shape = builder.output(map).shape;
  const std::int64_t rows = ceil_div(shape[0], height);
  const std::int64_t columns = ceil_div(shape[1], width);
  const OperatorId padded = pad_map(builder, map, rows * height, columns * width);
  return builder.move(OperatorKind::reshape, padded, {rows * columns, height * width, shape[2]}, "partition");
}

OperatorId unpartition(GraphBuilder& builder, OperatorId windows, std::int64_t rows, std::int64_t columns,
                       std::int64_t height, std::int64_t width) {
  const std::int64_t channels = builder.output(windows).shape.back();
  const std::int64_t padded_rows = ceil_div(rows, height) * height;
  const std::int64_t padded_columns = ceil_div(columns, width) * width;
  const OperatorId map =
      builder.move(OperatorKind::reshape, windows, {padded_rows, padded_columns, channels}, "unpartition");
  if (padded_rows == rows && padded_columns == columns) return map;
  return builder.move(OperatorKind::crop, map, {rows, columns, channels}, "crop");
}

OperatorId attend(GraphBuilder& builder, OperatorId q, OperatorId k, OperatorId v, std::int64_t heads,
                  std::int64_t bias_table) {
  OperatorId scores = builder.scores(q, k, heads);
  if (bias_table > 0) scores = builder.add_learned(scores, bias_table, "position_bias");
  return builder.context(builder.softmax(scores), v, heads, builder.output(q).shape);
}

OperatorId self_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t bias_table) {
  const std::int64_t channels = builder.output(tokens).shape.back();
  const OperatorId q = builder.linear(tokens, channels, "q");
  const OperatorId k = builder.linear(tokens, channels, "k");
  const OperatorId v = builder.linear(tokens, channels, "v");
  return builder.linear(attend(builder, q, k, v, heads, bias_table), channels, "projection");
}

OperatorId reduced_attention(GraphBuilder& builder, OperatorId tokens, std::int64_t heads, std::int64_t side,
                             std::int64_t reduction) {
  const std::int64_t channels = builder.output(tokens).shape.back();
  const OperatorId q = builder.linear(tokens, channels, "q");
  OperatorId source = tokens;
  if (reduction > 1) {
    const OperatorId map = builder.move(OperatorKind::reshape, tokens, {side, side, channels}, "map");
    const OperatorId reduced = builder.convolution(map, channels, {reduction, reduction, 0, 1}, "reduction");
    const std::int64_t reduced_side = builder.output(reduced).shape[0];
    source = builder.layer_norm(
        builder.move(OperatorKind::reshape, reduced, {reduced_side * reduced_side, channels}, "tokens"),
        "reduction_norm");
  }
  const OperatorId k = builder.linear(source, channels, "k");
  const OperatorId v = builder.linear(source, channels, "v");
  return builder.linear(attend(builder, q, k, v, heads), channels, "projection");
}

OperatorId feed_forward(GraphBuilder& builder, OperatorId x, std::int64_t hidden) {
  const std::int64_t channels = builder.output(x).shape.back();
  const OperatorId inner = builder.activation(builder.linear(builder.layer_norm(x, "norm2"), hidden, "fc1"), "gelu");
  return builder.add(x, builder.linear(inner, channels, "fc2"), "residual2");
}

void classify(GraphBuilder& builder, OperatorId x, std::int64_t classes) {
  builder.enter(0, 0);
  builder.linear(builder.global_pool(builder.layer_norm(x, "norm"), "mean"), classes, "classifier");
}

}  // namespace pimsweep::workload::families
