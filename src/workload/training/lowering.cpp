#include "workload/training/lowering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/error.h"

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

bool has_counterpart(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  static const std::set<std::string_view> functions{"relu", "relu6", "leaky_relu", "sigmoid", "tanh", "silu", "gelu"};
  switch (node.kind) {
    case OperatorKind::activation:
      return functions.contains(node.role);
    case OperatorKind::convolution:
    case OperatorKind::transposed_convolution:
      // TensorFlow 1.x has no convolution in groups.
      return node.window.groups == 1;
    case OperatorKind::add:
    case OperatorKind::concat:
      return node.parameters == 0 || learned_values_fit(graph, id);
    case OperatorKind::matmul:
      return node.role == "scores" || node.role == "context";
    case OperatorKind::gather: {
      // One vector for every position of a map.
      const std::vector<Tensor> inputs = graph.inputs(id);
      return inputs.size() == 1 && inputs[0].elements() == node.output.shape.back();
    }
    case OperatorKind::input:
    case OperatorKind::embedding:
    case OperatorKind::linear:
    case OperatorKind::batch_norm:
    case OperatorKind::layer_norm:
    case OperatorKind::response_norm:
    case OperatorKind::softmax:
    case OperatorKind::pad:
    case OperatorKind::crop:
    case OperatorKind::roll:
    case OperatorKind::multiply:
    case OperatorKind::max_pool:
    case OperatorKind::average_pool:
    case OperatorKind::global_pool:
    case OperatorKind::slice:
    case OperatorKind::reshape:
      return true;
    default:
      return false;
  }
}

void require_counterparts(const OperatorGraph& graph, const std::vector<OperatorId>& order) {
  std::set<std::string> missing;
  for (const OperatorId id : order) {
    if (has_counterpart(graph, id)) continue;
    const Operator& node = graph.at(id);
    const std::int64_t groups = node.window.groups;
    missing.insert(fmt::format("{} ({}{})", node.name, name_of(node.kind),
                               groups > 1 ? fmt::format(" in {} groups", groups) : ""));
  }
  if (missing.empty()) return;
  constexpr std::size_t max_shown = 5;
  const std::vector<std::string> shown(
      missing.begin(), std::next(missing.begin(), static_cast<std::ptrdiff_t>(std::min(missing.size(), max_shown))));
  throw PointError(fmt::format(
      "no training operations for {}{}; docs/training-graphs.md lists what has them", fmt::join(shown, ", "),
      missing.size() > max_shown ? fmt::format(" and {} more", missing.size() - max_shown) : ""));
}

void require_dropout_places(const OperatorGraph& graph, const std::vector<OperatorId>& order,
                            const std::vector<std::string>& places) {
  std::vector<std::string> known;
  for (const OperatorId id : order) {
    known.push_back(graph.at(id).name);
    known.push_back(graph.at(id).role);
  }
  std::string wrong;
  for (const std::string& place : places) {
    if (std::find(known.begin(), known.end(), place) != known.end()) continue;
    wrong += fmt::format("{}dropout after '{}', which is neither name nor role of an operator{}",
                         wrong.empty() ? "" : "; ", place, suggestion(place, known));
  }
  if (!wrong.empty()) throw PointError(wrong);
}

}  // namespace

ValueIndex Lowering::lower(const OperatorGraph& graph, OperatorId last) {
  std::vector<OperatorId> order = graph.topological_order();
  order.erase(std::next(std::find(order.begin(), order.end(), last)), order.end());
  require_counterparts(graph, order);
  require_dropout_places(graph, order, options_.dropout);
  for (const OperatorId id : order) {
    const Operator& node = graph.at(id);
    tape_.enter(scope_ + node.name);
    ValueIndex value = record(graph, id);
    const auto named = [&](const std::string& place) { return place == node.name || place == node.role; };
    if (!options_.inference && std::any_of(options_.dropout.begin(), options_.dropout.end(), named))
      value = dropout(value);
    outputs_[id] = value;
  }
  return outputs_.at(last);
}

ValueIndex Lowering::record(const OperatorGraph& graph, OperatorId id) {
  const Operator& node = graph.at(id);
  std::vector<ValueIndex> inputs;
  for (const OperatorId input : graph.predecessors(id)) inputs.push_back(outputs_.at(input));
  OperationAttributes attributes;
  attributes.window = node.window;
  const Shape output = batched(node.output);
  switch (node.kind) {
    case OperatorKind::input: {
      const auto fed = fed_.find(node.role);
      if (fed != fed_.end()) return fed->second;
      return inputs_[node.role] = tape_.placeholder(output);
    }
    case OperatorKind::embedding: {
      const Shape table{node.parameters / node.output.shape.back(), node.output.shape.back()};
      return tape_.add(Gather, {tape_.variable("table", table, trainable_), inputs[0]}, output);
    }
    case OperatorKind::linear:
      return tape_.reshape(linear(node, inputs[0]), output);
    case OperatorKind::matmul:
      return node.role == "scores" ? scores(graph, id) : context(graph, id);
    case OperatorKind::layer_norm:
      return layer_norm(inputs[0]);
    case OperatorKind::softmax:
      return tape_.same(Softmax, inputs);
    case OperatorKind::pad:
      return tape_.add(Pad, inputs, output);
    case OperatorKind::crop:
      return tape_.add(Slice, inputs, output);
    case OperatorKind::roll:
      return tape_.same(Roll, inputs);
    case OperatorKind::convolution:
      return convolution(node, inputs[0]);
    case OperatorKind::transposed_convolution:
      return transposed_convolution(node, inputs[0]);
    case OperatorKind::batch_norm:
      return batch_norm(inputs[0]);
    case OperatorKind::response_norm:
      return tape_.same(LRN, inputs);
    case OperatorKind::activation:
      return activation(node.role, inputs[0]);
    case OperatorKind::add:
      if (node.parameters > 0) return add_learned(graph, id);
      return tape_.binary(Add, inputs[0], inputs[1]);
    case OperatorKind::multiply: {
      ValueIndex factors = inputs[1];
      const Shape shape = tape_.shape(factors);
      if (output.rank() == 4 && shape.rank() == 2) factors = tape_.reshape(factors, {shape[0], 1, 1, shape[1]});
      return tape_.binary(Mul, inputs[0], factors);
    }
    case OperatorKind::max_pool:
      return tape_.add(MaxPool, inputs, output, attributes);
    case OperatorKind::average_pool:
      return tape_.add(AvgPool, inputs, output, attributes);
    case OperatorKind::global_pool: {
      const std::int64_t channels = node.output.shape.back();
      const Shape map = tape_.shape(inputs[0]);
      if (map.rank() == 2) {
        const ValueIndex tokens = tape_.reshape(inputs[0], {options_.batch, map[0] / options_.batch, channels});
        return tape_.reshape(tape_.reduce(Mean, tokens, {options_.batch, 1, channels}), output);
      }
      return tape_.reshape(tape_.reduce(Mean, inputs[0], {map[0], 1, 1, map.last()}), output);
    }
    case OperatorKind::concat:
      return node.parameters > 0 ? join_learned(node, inputs) : tape_.add(ConcatV2, inputs, output);
    case OperatorKind::slice:
      return slice(graph, id);
    case OperatorKind::reshape:
      // Windows are no view: their rows lie apart in the map.
      if (node.role == "partition" || node.role == "unpartition") return tape_.add(Transpose, inputs, output);
      return tape_.reshape(inputs[0], output);
    case OperatorKind::gather: {
      // As frameworks spread a vector over a map: times a map of ones.
      const ValueIndex vector = tape_.reshape(inputs[0], {output[0], 1, 1, output.last()});
      return tape_.binary(Mul, vector, tape_.constant(output));
    }
    default:
      throw std::logic_error("an operator without counterpart");
  }
}

ValueIndex Lowering::bias(ValueIndex x) {
  const ValueIndex bias = tape_.variable("bias", {tape_.shape(x).last()}, trainable_);
  return tape_.same(BiasAdd, {x, bias});
}

ValueIndex Lowering::linear(const Operator& node, ValueIndex x) {
  // Of windows of tokens the rows.
  x = tape_.reshape(x, {tape_.shape(x).elements() / node.product.inner, node.product.inner});
  const std::pair<std::int64_t, std::string> key{node.stage, node.role};
  const Shape filter{node.product.inner, node.product.columns};
  const auto add_type = options_.plain_linear_bias ? Add : BiasAdd;
  if (node.shares_weights) {
    const auto [weights, bias] = shared_.at(key);
    const ValueIndex product = tape_.matmul(x, weights);
    return bias == weights ? product : tape_.same(add_type, {product, bias});
  }
  const ValueIndex weights = tape_.variable("weights", filter, trainable_);
  const ValueIndex product = tape_.matmul(x, weights);
  if (node.parameters == node.weights) {
    shared_[key] = {weights, weights};
    return product;
  }
  const ValueIndex bias = tape_.variable("bias", {filter.last()}, trainable_);
  shared_[key] = {weights, bias};
  return tape_.same(add_type, {product, bias});
}

ValueIndex Lowering::convolution(const Operator& node, ValueIndex x) {
  OperationAttributes attributes;
  attributes.window = node.window;
  const Extent& kernel = node.window.kernel;
  const Shape filter{kernel.height, kernel.width, tape_.shape(x).last(), node.output.shape.back()};
  const ValueIndex weights = tape_.variable("weights", filter, trainable_);
  const ValueIndex y = tape_.add(Conv2D, {x, weights}, batched(node.output), attributes);
  return node.parameters == node.weights ? y : bias(y);
}

ValueIndex Lowering::transposed_convolution(const Operator& node, ValueIndex x) {
  OperationAttributes attributes;
  attributes.window = node.window;
  const Extent& kernel = node.window.kernel;
  const Shape filter{kernel.height, kernel.width, node.output.shape.back(), tape_.shape(x).last()};
  const ValueIndex weights = tape_.variable("weights", filter, trainable_);
  const ValueIndex y = tape_.add(Conv2DBackpropInput, {weights, x}, batched(node.output), attributes);
  return node.parameters == node.weights ? y : bias(y);
}

ValueIndex Lowering::batch_norm(ValueIndex x) {
  const Shape channels{tape_.shape(x).last()};
  const ValueIndex scale = tape_.variable("scale", channels, trainable_);
  const ValueIndex offset = tape_.variable("offset", channels, trainable_);
  if (options_.inference) return inference_batch_norm(x, scale, offset);
  return options_.fused_batch_norm ? fused_batch_norm(x, scale, offset) : elementary_batch_norm(x, scale, offset);
}

ValueIndex Lowering::inference_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset) {
  const Shape channels = tape_.shape(scale);
  const ValueIndex mean = tape_.variable("moving_mean", channels, false);
  const ValueIndex variance = tape_.variable("moving_variance", channels, false);
  return tape_.add(FusedBatchNorm, {x, scale, offset, mean, variance}, tape_.shape(x));
}

ValueIndex Lowering::fused_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset) {
  const Shape channels = tape_.shape(scale);
  const std::vector<Shape> outputs{tape_.shape(x), channels, channels};
  const ValueIndex y = tape_.add_many(FusedBatchNorm, {x, scale, offset}, outputs);
  update_moving_average("moving_mean", y + 1);
  update_moving_average("moving_variance", y + 2);
  return y;
}

ValueIndex Lowering::elementary_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset) {
  const Shape channels = tape_.shape(scale);
  const ValueIndex mean = tape_.reduce(Mean, x, channels);
  const ValueIndex difference = tape_.binary(SquaredDifference, x, tape_.same(StopGradient, {mean}));
  const ValueIndex variance = tape_.reduce(Mean, difference, channels);
  update_moving_average("moving_mean", mean);
  update_moving_average("moving_variance", variance);
  const ValueIndex deviation = tape_.same(Rsqrt, {tape_.binary(Add, variance, tape_.constant({}))});
  const ValueIndex factor = tape_.binary(Mul, deviation, scale);
  const ValueIndex scaled = tape_.binary(Mul, x, factor);
  const ValueIndex shift = tape_.binary(Sub, offset, tape_.binary(Mul, mean, factor));
  return tape_.binary(Add, scaled, shift);
}

void Lowering::update_moving_average(std::string_view role, ValueIndex value) {
  const ValueIndex average = tape_.variable(role, tape_.shape(value), false);
  const ValueIndex step = tape_.binary(Mul, tape_.binary(Sub, average, value), tape_.constant({}));
  tape_.same(AssignSub, {average, step});
}

ValueIndex Lowering::activation(std::string_view function, ValueIndex x) {
  if (function == "relu") return tape_.same(Relu, {x});
  if (function == "relu6") return tape_.same(Relu6, {x});
  if (function == "sigmoid") return tape_.same(Sigmoid, {x});
  if (function == "tanh") return tape_.same(Tanh, {x});
  if (function == "gelu") return gelu(x);
  if (function == "silu") return tape_.binary(Mul, x, tape_.same(Sigmoid, {x}));
  return tape_.binary(Maximum, x, tape_.binary(Mul, tape_.constant({}), x));
}

ValueIndex Lowering::slice(const OperatorGraph& graph, OperatorId id) {
  const OperatorId source = graph.predecessors(id).front();
  std::vector<OperatorId> parts;
  std::int64_t elements = 0;
  for (const OperatorId reader : graph.successors(source)) {
    if (graph.at(reader).kind != OperatorKind::slice) continue;
    parts.push_back(reader);
    elements += graph.at(reader).output.elements();
  }
  if (elements != graph.at(source).output.elements()) {
    return tape_.add(Slice, {outputs_.at(source)}, batched(graph.at(id).output));
  }
  // Slices that make up the whole are one Split, recorded with the first of them.
  const auto place = static_cast<ValueIndex>(std::find(parts.begin(), parts.end(), id) - parts.begin());
  const auto first = splits_.find(source);
  if (first != splits_.end()) return first->second + place;
  std::vector<Shape> shapes;
  for (const OperatorId part : parts) shapes.push_back(batched(graph.at(part).output));
  return (splits_[source] = tape_.add_many(Split, {outputs_.at(source)}, shapes)) + place;
}

ValueIndex Lowering::dropout(ValueIndex x) {
  // tf.nn.dropout: x / keep * floor(keep + uniform).
  const Shape shape = tape_.shape(x);
  const ValueIndex keep = tape_.constant({});
  const ValueIndex uniform = tape_.binary(Mul, tape_.add(RandomUniform, {}, shape), tape_.constant({}));
  const ValueIndex random = tape_.binary(Add, uniform, tape_.constant({}));
  const ValueIndex mask = tape_.same(Floor, {tape_.binary(Add, random, keep)});
  return tape_.binary(Mul, tape_.binary(RealDiv, x, keep), mask);
}

Shape Lowering::batched(const Tensor& tensor) const {
  const std::vector<std::int64_t>& extents = tensor.shape;
  if (extents.size() == 3) return {options_.batch, extents[0], extents[1], extents[2]};
  if (extents.size() == 2) return {options_.batch * extents[0], extents[1]};
  throw PointError(fmt::format("no training operations for tensors of {} extents", extents.size()));
}

}  // namespace pimsweep::workload::training
