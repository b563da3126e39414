#include <fmt/format.h>

#include "workload/training/lowering.h"

namespace pimsweep::workload::training {

using enum OperationType;

std::int64_t attention_heads(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  if (node.kind != OperatorKind::matmul) {
    const std::vector<OperatorId> sources = graph.predecessors(id);
    if (sources.size() != 1 || graph.at(sources[0]).role != "scores") return 0;
    return attention_heads(graph, sources[0]);
  }
  if (node.role == "scores") return graph.inputs(id)[0].shape.back() / node.product.inner;
  return node.output.shape.back() / node.product.columns;
}

bool learned_values_fit(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  const std::int64_t channels = node.output.shape.back();
  if (node.kind == OperatorKind::concat) return node.parameters == channels;
  if (graph.predecessors(id).size() != 1) return false;
  if (const std::int64_t heads = attention_heads(graph, id); heads > 0) return node.parameters % heads == 0;
  return node.parameters % channels == 0;
}

/// tf.nn.moments over the channels and tf.nn.batch_normalization, as tf.contrib.layers.layer_norm (TensorFlow 1.x).
ValueIndex Lowering::layer_norm(ValueIndex x) {
  const Shape channels{tape_.shape(x).last()};
  Shape rows = tape_.shape(x);
  rows.extent(rows.rank() - 1) = 1;
  const ValueIndex scale = tape_.variable("scale", channels, trainable_);
  const ValueIndex offset = tape_.variable("offset", channels, trainable_);
  const ValueIndex mean = tape_.reduce(Mean, x, rows);
  const ValueIndex difference = tape_.binary(SquaredDifference, x, tape_.same(StopGradient, {mean}));
  const ValueIndex variance = tape_.reduce(Mean, difference, rows);
  const ValueIndex deviation = tape_.same(Rsqrt, {tape_.binary(Add, variance, tape_.constant({}))});
  const ValueIndex factor = tape_.binary(Mul, deviation, scale);
  const ValueIndex scaled = tape_.binary(Mul, x, factor);
  const ValueIndex shift = tape_.binary(Sub, offset, tape_.binary(Mul, mean, factor));
  return tape_.binary(Add, scaled, shift);
}

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 (Hendrycks and Gimpel 2016), the cube as two products.
ValueIndex Lowering::gelu(ValueIndex x) {
  const auto scaled = [&](ValueIndex value) { return tape_.binary(Mul, value, tape_.constant({})); };
  const ValueIndex cube = tape_.binary(Mul, tape_.binary(Mul, x, x), x);
  const ValueIndex inner = scaled(tape_.binary(Add, x, scaled(cube)));
  const ValueIndex share = scaled(tape_.binary(Add, tape_.same(Tanh, {inner}), tape_.constant({})));
  return tape_.binary(Mul, x, share);
}

/// {groups x batch, heads, tokens, channels of a head}.
ValueIndex Lowering::split_heads(ValueIndex x, std::int64_t tokens, std::int64_t heads, std::int64_t head_channels) {
  const std::int64_t groups = tape_.shape(x).elements() / (tokens * heads * head_channels);
  const ValueIndex split = tape_.reshape(x, {groups, tokens, heads, head_channels});
  return tape_.add(Transpose, {split}, {groups, heads, tokens, head_channels});
}

ValueIndex Lowering::scores(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  const std::vector<OperatorId> sources = graph.predecessors(id);
  const std::int64_t heads = attention_heads(graph, id);
  const MatrixProduct& product = node.product;
  const ValueIndex q = split_heads(outputs_.at(sources[0]), product.rows, heads, product.inner);
  const ValueIndex k = split_heads(outputs_.at(sources[1]), product.columns, heads, product.inner);
  const ValueIndex scaled = tape_.binary(Mul, tape_.batch_matmul(q, k, false, true), tape_.constant({}));
  return tape_.reshape(scaled, batched(node.output));
}

ValueIndex Lowering::context(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  const std::vector<OperatorId> sources = graph.predecessors(id);
  const std::int64_t heads = attention_heads(graph, id);
  const MatrixProduct& product = node.product;
  const std::int64_t groups = options_.batch * product.batch / heads;
  const ValueIndex p = tape_.reshape(outputs_.at(sources[0]), {groups, heads, product.rows, product.inner});
  const ValueIndex v = split_heads(outputs_.at(sources[1]), product.inner, heads, product.columns);
  const ValueIndex joined =
      tape_.add(Transpose, {tape_.batch_matmul(p, v)}, {groups, product.rows, heads, product.columns});
  return tape_.reshape(joined, batched(node.output));
}

/// A row of a table for each place of the scores of a head (Swin): {places, heads}, then the heads first.
ValueIndex Lowering::add_position_bias(ValueIndex x, const Operator& node, std::int64_t heads) {
  const std::int64_t queries = node.output.shape[1];
  const std::int64_t keys = node.output.shape[2];
  const ValueIndex table = tape_.variable("table", {node.parameters / heads, heads}, trainable_);
  const ValueIndex rows = tape_.add(Gather, {table, tape_.constant({queries * keys})}, {queries * keys, heads});
  const ValueIndex bias = tape_.add(Transpose, {rows}, {heads, queries, keys});
  const ValueIndex scores = tape_.reshape(x, {options_.batch * node.output.shape[0] / heads, heads, queries, keys});
  return tape_.reshape(tape_.binary(Add, scores, bias), batched(node.output));
}

ValueIndex Lowering::add_learned(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  const ValueIndex x = outputs_.at(graph.predecessors(id).front());
  if (const std::int64_t heads = attention_heads(graph, id); heads > 0) return add_position_bias(x, node, heads);
  const Shape output = batched(node.output);
  const std::int64_t channels = node.output.shape.back();
  const std::int64_t rows = node.output.elements() / channels;
  const std::int64_t entries = node.parameters / channels;
  const ValueIndex table = tape_.variable("table", {entries, channels}, trainable_);
  if (entries < rows) {
    // One of a few for each token, as of BERT's two sentences.
    const std::int64_t tokens = options_.batch * rows;
    const ValueIndex chosen = tape_.add(Gather, {table, tape_.placeholder({tokens})}, {tokens, channels});
    return tape_.binary(Add, x, tape_.reshape(chosen, output));
  }
  const ValueIndex used = entries == rows ? table : tape_.add(Slice, {table}, {rows, channels});
  const ValueIndex images = tape_.reshape(x, {options_.batch, rows, channels});
  return tape_.reshape(tape_.binary(Add, images, used), output);
}

/// One learned token before those of each image.
ValueIndex Lowering::join_learned(const Operator& node, std::vector<ValueIndex> inputs) {
  const std::int64_t channels = node.output.shape.back();
  const ValueIndex token = tape_.variable("token", {1, channels}, trainable_);
  inputs.insert(inputs.begin(), tape_.add(Tile, {token}, {options_.batch, channels}));
  return tape_.add(ConcatV2, std::move(inputs), batched(node.output));
}

}  // namespace pimsweep::workload::training
