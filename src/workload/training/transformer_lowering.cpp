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
  if (node.parameters == 0) return true;
  const std::int64_t channels = node.output.shape.back();
  if (node.kind == OperatorKind::concat) return node.parameters == channels;
  if (graph.predecessors(id).size() != 1) return false;
  if (const std::int64_t heads = attention_heads(graph, id); heads > 0) return node.parameters % heads == 0;
  return node.parameters % channels == 0;
}

ValueIndex Lowering::layer_norm(const Site& site) {
  // tf.nn.moments over the channels and tf.nn.batch_normalization, as in tf.contrib.layers.layer_norm.
  const ValueIndex x = site.x();
  const Shape channels{tape_.shape(x).last()};
  Shape rows = tape_.shape(x);
  rows.extent(rows.rank() - 1) = 1;
  const ValueIndex scale = tape_.variable("scale", channels, trainable_);
  const ValueIndex offset = tape_.variable("offset", channels, trainable_);
  const ValueIndex mean = tape_.reduce(Mean, x, rows);
  const ValueIndex difference = tape_.binary(SquaredDifference, x, tape_.same(StopGradient, {mean}));
  return normalized(tape_, x, mean, tape_.reduce(Mean, difference, rows), scale, offset);
}

/// {groups x batch, heads, tokens, channels of a head}.
ValueIndex Lowering::split_heads(ValueIndex x, std::int64_t tokens, std::int64_t heads, std::int64_t head_channels) {
  const std::int64_t groups = tape_.shape(x).elements() / (tokens * heads * head_channels);
  const ValueIndex split = tape_.reshape(x, {groups, tokens, heads, head_channels});
  return tape_.add(Transpose, {split}, {groups, heads, tokens, head_channels});
}

ValueIndex Lowering::attention_product(const Site& site) {
  return site.node.role == "scores" ? scores(site) : context(site);
}

ValueIndex Lowering::scores(const Site& site) {
  const std::int64_t heads = attention_heads(site.graph, site.id);
  const MatrixProduct& product = site.node.product;
  const ValueIndex q = split_heads(site.inputs[0], product.rows, heads, product.inner);
  const ValueIndex k = split_heads(site.inputs[1], product.columns, heads, product.inner);
  const ValueIndex scale = tape_.constant({});
  const ValueIndex scaled = tape_.binary(Mul, tape_.batch_matmul(q, k, false, true), scale);
  return tape_.reshape(scaled, site.output);
}

ValueIndex Lowering::context(const Site& site) {
  const std::int64_t heads = attention_heads(site.graph, site.id);
  const MatrixProduct& product = site.node.product;
  const std::int64_t groups = options_.batch * product.batch / heads;
  const ValueIndex p = tape_.reshape(site.inputs[0], {groups, heads, product.rows, product.inner});
  const ValueIndex v = split_heads(site.inputs[1], product.inner, heads, product.columns);
  const ValueIndex joined =
      tape_.add(Transpose, {tape_.batch_matmul(p, v)}, {groups, product.rows, heads, product.columns});
  return tape_.reshape(joined, site.output);
}

/// Adds a learned number per position to the scores of each head (Swin). The table is {positions, heads}.
ValueIndex Lowering::add_position_bias(const Site& site, std::int64_t heads) {
  const std::vector<std::int64_t>& extents = site.node.output.shape;
  const std::int64_t queries = extents[1];
  const std::int64_t keys = extents[2];
  const ValueIndex table = tape_.variable("table", {site.node.parameters / heads, heads}, trainable_);
  const ValueIndex rows = tape_.add(Gather, {table, tape_.constant({queries * keys})}, {queries * keys, heads});
  const ValueIndex bias = tape_.add(Transpose, {rows}, {heads, queries, keys});
  const ValueIndex scores = tape_.reshape(site.x(), {options_.batch * extents[0] / heads, heads, queries, keys});
  return tape_.reshape(tape_.binary(Add, scores, bias), site.output);
}

ValueIndex Lowering::add_learned(const Site& site) {
  if (const std::int64_t heads = attention_heads(site.graph, site.id); heads > 0) return add_position_bias(site, heads);
  const Tensor& output = site.node.output;
  const std::int64_t channels = output.shape.back();
  const std::int64_t rows = output.elements() / channels;
  const std::int64_t entries = site.node.parameters / channels;
  const ValueIndex table = tape_.variable("table", {entries, channels}, trainable_);
  if (entries < rows) {
    // Each token uses one of a few rows, as for the two sentences of BERT.
    const std::int64_t tokens = options_.batch * rows;
    const ValueIndex chosen = tape_.add(Gather, {table, tape_.placeholder({tokens})}, {tokens, channels});
    return tape_.binary(Add, site.x(), tape_.reshape(chosen, site.output));
  }
  const ValueIndex used = entries == rows ? table : tape_.add(Slice, {table}, {rows, channels});
  const ValueIndex images = tape_.reshape(site.x(), {options_.batch, rows, channels});
  return tape_.reshape(tape_.binary(Add, images, used), site.output);
}

/// Prepends one learned token to those of each image.
ValueIndex Lowering::join_learned(const Site& site) {
  const std::int64_t channels = site.node.output.shape.back();
  const ValueIndex token = tape_.variable("token", {1, channels}, trainable_);
  std::vector<ValueIndex> inputs = site.inputs;
  inputs.insert(inputs.begin(), tape_.add(Tile, {token}, {options_.batch, channels}));
  return tape_.add(ConcatV2, std::move(inputs), site.output);
}

}  // namespace pimsweep::workload::training
