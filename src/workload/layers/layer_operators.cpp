#include "workload/layers/layer_rules.h"
#include "workload/layers/layer_type.h"

namespace pimsweep::workload::layers {

namespace {

/// A tensor of the graph as a value, and back.
Value value_of(const Tensor& tensor) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  if (shape.size() == 3) return {Value::Form::map, shape[0], shape[1], shape[2]};
  return {Value::Form::tokens, shape[0], 1, shape[1]};
}

std::vector<std::int64_t> tensor_shape(const Value& value) {
  if (value.is_map()) return {value.height, value.width, value.channels};
  return {value.height, value.channels};
}

Value output_of(const GraphBuilder& builder, const Layer& layer, OperatorId x) {
  const Value in = value_of(builder.output(x));
  return layer.type->shape(layer, {&in, 1});
}

}  // namespace

OperatorId append_convolution(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.convolution(inputs[0], layer.outputs, layer.window, layer.role, layer.bias);
}

OperatorId append_transposed_convolution(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.transposed_convolution(inputs[0], layer.outputs, layer.window,
                                        output_of(builder, layer, inputs[0]).map(), layer.role, layer.bias);
}

OperatorId append_pool(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.pool(layer.type->kind, inputs[0], layer.window, layer.role);
}

OperatorId append_global_pool(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.global_pool(inputs[0], layer.role);
}

OperatorId append_linear(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.linear(inputs[0], layer.outputs, layer.role, layer.bias);
}

OperatorId append_norm(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return layer.type->kind == OperatorKind::batch_norm ? builder.batch_norm(inputs[0], layer.role)
                                                      : builder.layer_norm(inputs[0], layer.role);
}

OperatorId append_embedding(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.embedding(inputs[0], layer.rows, layer.outputs, layer.role);
}

OperatorId append_table(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.add_learned(inputs[0], Count{layer.rows} * builder.output(inputs[0]).shape.back(), layer.role);
}

OperatorId append_class_token(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  const Value with_class = output_of(builder, layer, inputs[0]);
  return builder.concat({inputs[0]}, tensor_shape(with_class), layer.role, with_class.channels);
}

OperatorId append_attention(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  const OperatorId queries = inputs.front();
  const OperatorId source = inputs.back();
  const std::int64_t channels = builder.output(queries).shape.back();
  const std::int64_t kv_heads = layer.kv_heads > 0 ? layer.kv_heads : layer.heads;
  const std::int64_t kv_channels = channels / layer.heads * kv_heads;
  const OperatorId q = builder.linear(queries, channels, "q", layer.bias);
  const OperatorId k = builder.linear(source, kv_channels, "k", layer.bias);
  const OperatorId v = builder.linear(source, kv_channels, "v", layer.bias);
  const OperatorId p = builder.softmax(builder.scores(q, k, layer.heads, kv_heads));
  const OperatorId context = builder.context(p, v, layer.heads, builder.output(q).shape, kv_heads);
  return builder.linear(context, channels, "projection", layer.bias);
}

OperatorId append_add(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.add(inputs[0], inputs[1], layer.role);
}

OperatorId append_multiply(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.multiply(inputs[0], inputs[1], layer.role);
}

OperatorId append_concat(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  return builder.join_channels({inputs.begin(), inputs.end()}, layer.role);
}

OperatorId append_input(GraphBuilder& builder, const Layer& layer, Sources) {
  return builder.input({layer.rows, layer.outputs}, layer.role);
}

OperatorId append_move(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  Value moved = output_of(builder, layer, inputs[0]);
  // The length of a flattened map depends on the input size.
  if (moved.channels == 0) moved.channels = builder.output(inputs[0]).elements();
  return builder.move(layer.type->kind, inputs[0], tensor_shape(moved), layer.role);
}

OperatorId append(GraphBuilder& builder, const Layer& layer, Sources inputs) {
  if (layer.type->append != nullptr) return layer.type->append(builder, layer, inputs);
  return builder.same_shape(layer.type->kind, inputs[0], layer.role);
}

}  // namespace pimsweep::workload::layers
