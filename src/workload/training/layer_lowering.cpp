#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "workload/training/lowering.h"

// Operations run in the order in which they are recorded, so no call records two of its own arguments: C++ does not fix
// their order of evaluation.
namespace pimsweep::workload::training {

using enum OperationType;

ValueIndex Lowering::input(const Site& site) {
  const std::string& role = site.node.role;
  const auto fed = fed_.find(role);
  if (fed != fed_.end()) return fed->second;
  return inputs_[role] = tape_.placeholder(site.output);
}

ValueIndex Lowering::embedding(const Site& site) {
  const std::int64_t channels = site.node.output.shape.back();
  const ValueIndex table = tape_.variable("table", {site.node.parameters / channels, channels}, trainable_);
  return tape_.add(Gather, {table, site.x()}, site.output);
}

ValueIndex Lowering::linear(const Site& site) {
  const Operator& node = site.node;
  // The tokens of all windows are rows of one matrix.
  const std::int64_t rows = tape_.shape(site.x()).elements() / node.product.inner;
  const ValueIndex x = tape_.reshape(site.x(), {rows, node.product.inner});
  const WeightsKey key = weights_key(node);
  const OperationType add_type = options_.plain_linear_bias ? Add : BiasAdd;
  if (node.shares_weights) {
    const auto [weights, bias] = shared_.at(key);
    const ValueIndex product = tape_.matmul(x, weights);
    return tape_.reshape(bias == weights ? product : tape_.same(add_type, {product, bias}), site.output);
  }
  const ValueIndex weights = tape_.variable("weights", {node.product.inner, node.product.columns}, trainable_);
  const ValueIndex product = tape_.matmul(x, weights);
  if (node.parameters == node.weights) {
    shared_[key] = {weights, weights};
    return tape_.reshape(product, site.output);
  }
  const ValueIndex bias = tape_.variable("bias", {node.product.columns}, trainable_);
  shared_[key] = {weights, bias};
  return tape_.reshape(tape_.same(add_type, {product, bias}), site.output);
}

ValueIndex Lowering::convolution(const Site& site) {
  const Extent& kernel = site.node.window.kernel;
  const Shape filter{kernel.height, kernel.width, tape_.shape(site.x()).last(), site.output.last()};
  const ValueIndex weights = tape_.variable("weights", filter, trainable_);
  return with_bias(site, tape_.add(Conv2D, {site.x(), weights}, site.output, site.attributes()));
}

ValueIndex Lowering::transposed_convolution(const Site& site) {
  const Extent& kernel = site.node.window.kernel;
  const Shape filter{kernel.height, kernel.width, site.output.last(), tape_.shape(site.x()).last()};
  const ValueIndex weights = tape_.variable("weights", filter, trainable_);
  return with_bias(site, tape_.add(Conv2DBackpropInput, {weights, site.x()}, site.output, site.attributes()));
}

ValueIndex Lowering::with_bias(const Site& site, ValueIndex x) {
  if (site.node.parameters == site.node.weights) return x;
  const ValueIndex bias = tape_.variable("bias", {tape_.shape(x).last()}, trainable_);
  return tape_.same(BiasAdd, {x, bias});
}

ValueIndex Lowering::add(const Site& site) {
  return site.node.parameters > 0 ? add_learned(site) : tape_.binary(Add, site.x(), site.inputs[1]);
}

ValueIndex Lowering::multiply(const Site& site) {
  ValueIndex factors = site.inputs[1];
  const Shape shape = tape_.shape(factors);
  const bool one_per_channel = site.output.rank() == 4 && shape.rank() == 2;
  if (one_per_channel) factors = tape_.reshape(factors, {shape[0], 1, 1, shape[1]});
  return tape_.binary(Mul, site.x(), factors);
}

ValueIndex Lowering::global_pool(const Site& site) {
  const Shape map = tape_.shape(site.x());
  if (map.rank() == 2) {
    const ValueIndex tokens = tape_.reshape(site.x(), {options_.batch, map[0] / options_.batch, map.last()});
    return tape_.reshape(tape_.reduce(Mean, tokens, {options_.batch, 1, map.last()}), site.output);
  }
  return tape_.reshape(tape_.reduce(Mean, site.x(), {map[0], 1, 1, map.last()}), site.output);
}

ValueIndex Lowering::concat(const Site& site) {
  return site.node.parameters > 0 ? join_learned(site) : tape_.add(ConcatV2, site.inputs, site.output);
}

ValueIndex Lowering::slice(const Site& site) {
  const OperatorId source = site.graph.predecessors(site.id).front();
  std::vector<OperatorId> parts;
  std::int64_t elements = 0;
  for (const OperatorId reader : site.graph.successors(source)) {
    if (site.graph.at(reader).kind != OperatorKind::slice) continue;
    parts.push_back(reader);
    elements += site.graph.at(reader).output.elements();
  }
  if (elements != site.graph.at(source).output.elements()) return tape_.add(Slice, {site.x()}, site.output);
  // Slices that make up the whole are one Split, recorded with the first of them.
  const auto place = static_cast<ValueIndex>(std::find(parts.begin(), parts.end(), site.id) - parts.begin());
  const auto first = splits_.find(source);
  if (first != splits_.end()) return first->second + place;
  std::vector<Shape> shapes;
  shapes.reserve(parts.size());
  for (const OperatorId part : parts) shapes.push_back(batched(site.graph.at(part).output));
  return (splits_[source] = tape_.add_many(Split, {site.x()}, shapes)) + place;
}

ValueIndex Lowering::reshape(const Site& site) {
  // Windows are not a view: their rows are not contiguous in the map.
  const bool moves = site.node.role == "partition" || site.node.role == "unpartition";
  return moves ? reshaped<Transpose>(site) : tape_.reshape(site.x(), site.output);
}

ValueIndex Lowering::spread(const Site& site) {
  // Frameworks broadcast a vector over a map by multiplying it by a map of ones.
  const ValueIndex vector = tape_.reshape(site.x(), {site.output[0], 1, 1, site.output.last()});
  return tape_.binary(Mul, vector, tape_.constant(site.output));
}

ValueIndex Lowering::batch_norm(const Site& site) {
  const Shape channels{tape_.shape(site.x()).last()};
  const ValueIndex scale = tape_.variable("scale", channels, trainable_);
  const ValueIndex offset = tape_.variable("offset", channels, trainable_);
  if (options_.inference) return inference_batch_norm(site.x(), scale, offset);
  return options_.fused_batch_norm ? fused_batch_norm(site.x(), scale, offset)
                                   : elementary_batch_norm(site.x(), scale, offset);
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
  return normalized(tape_, x, mean, variance, scale, offset);
}

ValueIndex normalized(Tape& tape, ValueIndex x, ValueIndex mean, ValueIndex variance, ValueIndex scale,
                      ValueIndex offset) {
  const ValueIndex deviation = tape.same(Rsqrt, {tape.binary(Add, variance, tape.constant({}))});
  const ValueIndex factor = tape.binary(Mul, deviation, scale);
  const ValueIndex scaled = tape.binary(Mul, x, factor);
  const ValueIndex shift = tape.binary(Sub, offset, tape.binary(Mul, mean, factor));
  return tape.binary(Add, scaled, shift);
}

void Lowering::update_moving_average(std::string_view role, ValueIndex value) {
  const ValueIndex average = tape_.variable(role, tape_.shape(value), false);
  const ValueIndex rate = tape_.constant({});
  const ValueIndex step = tape_.binary(Mul, tape_.binary(Sub, average, value), rate);
  tape_.same(AssignSub, {average, step});
}

ValueIndex Lowering::dropout(ValueIndex x) {
  // tf.nn.dropout: x / keep * floor(keep + uniform).
  const Shape shape = tape_.shape(x);
  const ValueIndex keep = tape_.constant({});
  const ValueIndex range = tape_.constant({});
  const ValueIndex uniform = tape_.binary(Mul, tape_.add(RandomUniform, {}, shape), range);
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

namespace {

template <OperationType Type>
ValueIndex unary(Tape& tape, ValueIndex x) {
  return tape.same(Type, {x});
}

/// max(x, a x).
ValueIndex leaky_relu(Tape& tape, ValueIndex x) {
  return tape.binary(Maximum, x, tape.binary(Mul, tape.constant({}), x));
}

/// x sigmoid(x).
ValueIndex silu(Tape& tape, ValueIndex x) { return tape.binary(Mul, x, tape.same(Sigmoid, {x})); }

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 (Hendrycks and Gimpel 2016), with the cube as two multiplications.
ValueIndex gelu(Tape& tape, ValueIndex x) {
  const auto scaled = [&](ValueIndex value) { return tape.binary(Mul, value, tape.constant({})); };
  const ValueIndex cube = tape.binary(Mul, tape.binary(Mul, x, x), x);
  const ValueIndex inner = scaled(tape.binary(Add, x, scaled(cube)));
  const ValueIndex one = tape.constant({});
  const ValueIndex share = scaled(tape.binary(Add, tape.same(Tanh, {inner}), one));
  return tape.binary(Mul, x, share);
}

struct Function {
  std::string_view name;
  ValueIndex (*record)(Tape& tape, ValueIndex x);
};

constexpr std::array functions{Function{"relu", unary<Relu>},
                               Function{"relu6", unary<Relu6>},
                               Function{"leaky_relu", leaky_relu},
                               Function{"sigmoid", unary<Sigmoid>},
                               Function{"tanh", unary<Tanh>},
                               Function{"silu", silu},
                               Function{"gelu", gelu}};

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : found;
}

}  // namespace

bool is_known_function(std::string_view function) { return find_function(function) != nullptr; }

ValueIndex Lowering::activation(const Site& site) { return find_function(site.node.role)->record(tape_, site.x()); }

}  // namespace pimsweep::workload::training
