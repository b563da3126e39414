#include <algorithm>
#include <cctype>
#include <string>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

/// "HardSigmoid" as "hard_sigmoid".
std::string snake_case(const std::string& type) {
  std::string result;
  for (const char letter : type) {
    const bool upper = std::isupper(static_cast<unsigned char>(letter)) != 0;
    if (upper && !result.empty() && result.back() != '.' && result.back() != '_') result += '_';
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

/// Function of an element-wise node, by the name that the model families use.
std::string function_of(const NodeCall& call) {
  const std::string& type = call.node().type;
  if (type == "PRelu" || type == "LeakyRelu") return "leaky_relu";
  if (type == "com.microsoft.Gelu" || type == "com.microsoft.QuickGelu") return "gelu";
  if (type == "RotaryEmbedding" || type == "com.microsoft.RotaryEmbedding") return "rotary";
  if (type == "Swish") return "silu";
  return snake_case(type);
}

bool is_one_number(const TensorValue& value) {
  return std::all_of(value.shape.begin(), value.shape.end(), [](std::int64_t extent) { return extent == 1; });
}

/// Channel dimension of an element-wise result: that of the highest-rank input that depends on the network's input.
std::size_t result_channel(const NodeCall& call, const Shape& result) {
  std::size_t channel = result.empty() ? 0 : result.size() - 1;
  std::size_t rank = 0;
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    if (!call.is_active(i)) continue;
    const Shape& shape = call.shape(i);
    if (shape.size() < rank || (shape.size() == rank && elements_of(shape) <= elements)) continue;
    rank = shape.size();
    elements = elements_of(shape);
    channel = call.in(i).channel + result.size() - rank;
  }
  return channel;
}

/// True for a tensor with one value per channel, whose only extent above 1 is the number of channels.
bool is_per_channel(const TensorValue& value, const Shape& result, std::size_t channel) {
  const std::size_t added = result.size() - value.shape.size();
  if (channel >= result.size() || channel < added) return false;
  return value.shape[channel - added] == result[channel] && elements_of(value.shape) == result[channel];
}

bool is_multiplication(const std::string& type) { return type == "Mul" || type == "Div"; }
bool is_sum(const std::string& type) { return type == "Add" || type == "Sub"; }

/// Element-wise operators of two tensors that both depend on the input.
void give_binary(NodeCall& call, const Shape& result, std::size_t channel) {
  const std::string& type = call.node().type;
  const Tensor output = channels_last(result, channel);
  if (is_multiplication(type)) {
    for (const std::size_t factor : {std::size_t{1}, std::size_t{0}}) {
      const std::size_t x = 1 - factor;
      if (call.shape(x) != result || call.in(x).channel != channel) continue;
      if (call.shape(factor) == result || !is_per_channel(call.in(factor), result, channel)) continue;
      return call.give(0,
                       call.add(OperatorKind::multiply, snake_case(type), output, {call.draft(x), call.draft(factor)}),
                       result, channel);
    }
  }
  const DraftId a = call.expanded(0, result, channel);
  const DraftId b = call.expanded(1, result, channel);
  const OperatorKind kind = is_multiplication(type) ? OperatorKind::multiply : OperatorKind::add;
  call.give(0, call.add(kind, snake_case(type), output, {a, b}), result, channel);
}

/// Element-wise operators of input `x` and a tensor that does not depend on the network's input.
void give_with_constant(NodeCall& call, std::size_t x, const Shape& result, std::size_t channel) {
  const std::string& type = call.node().type;
  const TensorValue& constant = call.in(1 - x);
  const bool is_affine = is_sum(type) || (is_multiplication(type) && !(type == "Div" && x == 1));
  // A scalar scale or offset is folded into its neighbors. A learned scalar is a bias if the result has one channel.
  const bool is_bias = is_sum(type) && constant.shape.size() == 1 && !constant.weights.empty() &&
                       channel < result.size() && result[channel] == 1;
  if (is_affine && is_one_number(constant) && !is_bias)
    return call.give(0, call.expanded(x, result, channel), result, channel);
  Operator op;
  op.output = channels_last(result, channel);
  op.kind = is_sum(type) ? OperatorKind::add : OperatorKind::activation;
  op.role = is_sum(type)              ? (is_per_channel(constant, result, channel) ? "bias" : "offset")
            : is_multiplication(type) ? (x == 1 && type == "Div" ? "reciprocal" : "scale")
                                      : snake_case(type);
  op.parameters = call.take_parameters(1 - x, is_bias);
  std::vector<DraftId> inputs{call.expanded(x, result, channel)};
  // A sum has two terms; one that is not learned, such as a mask, becomes an input.
  if (op.kind == OperatorKind::add && op.parameters == 0) inputs.push_back(call.expanded(1 - x, result, channel));
  call.give(0, call.add(std::move(op), inputs), result, channel);
}

}  // namespace

void read_function(NodeCall& call) { call.map_same(OperatorKind::activation, function_of(call)); }

void read_clip(NodeCall& call) {
  const bool has_limits = call.has_attribute("max") || call.has(2);
  double lower = 0;
  double upper = 0;
  if (const auto found = call.node().attributes.find("min"); found != call.node().attributes.end()) {
    lower = found->second.real;
  } else if (call.has(1) && call.in(1).has_numbers()) {
    lower = call.numbers(1).front();
  }
  if (const auto found = call.node().attributes.find("max"); found != call.node().attributes.end()) {
    upper = found->second.real;
  } else if (call.has(2) && call.in(2).has_numbers()) {
    upper = call.numbers(2).front();
  }
  call.map_same(OperatorKind::activation, has_limits && lower == 0 && upper == 6 ? "relu6" : "clip");
}

void read_prelu(NodeCall& call) {
  call.map_same(OperatorKind::activation, function_of(call), call.is_active(0) ? call.take_parameters(1, true) : 0);
}

void read_binary(NodeCall& call) {
  const Shape result = broadcast(call.shape(0), call.shape(1));
  if (!call.any_active()) return call.give_constant(0, result, {}, call.in(0).is_floating);
  const std::size_t channel = result_channel(call, result);
  if (call.is_active(0) && call.is_active(1)) {
    give_binary(call, result, channel);
  } else {
    give_with_constant(call, call.is_active(0) ? 0 : 1, result, channel);
  }
}

void read_many(NodeCall& call) {
  Shape result = call.shape(0);
  for (std::size_t i = 1; i < call.inputs(); ++i) result = broadcast(result, call.shape(i));
  if (!call.any_active()) return call.give_constant(0, result, {}, call.in(0).is_floating);
  const std::size_t channel = result_channel(call, result);
  std::vector<DraftId> drafts;
  Operator op;
  op.kind = OperatorKind::add;
  op.role = snake_case(call.node().type);
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    if (call.is_active(i)) {
      drafts.push_back(call.expanded(i, result, channel));
    } else {
      op.parameters += call.take_parameters(i, false);
    }
  }
  op.output = channels_last(result, channel);
  if (drafts.size() == 1 && op.parameters == 0) op.kind = OperatorKind::activation;
  call.give(0, call.add(std::move(op), drafts), result, channel);
}

void read_where(NodeCall& call) {
  if (call.inputs() != 3) throw Refusal("needs three inputs");
  read_many(call);
}

void read_batch_norm(NodeCall& call) {
  std::int64_t parameters = 0;
  if (call.is_active(0)) {
    parameters = call.take_parameters(1, true) + call.take_parameters(2, true);
    // Means and variances are statistics, not learned.
    call.take_parameters(3, true);
    call.take_parameters(4, true);
  }
  call.map_same(OperatorKind::batch_norm, "batch_norm", parameters);
}

namespace {

void read_norm(NodeCall& call, std::string_view role) {
  std::int64_t parameters = 0;
  for (std::size_t i = 1; call.is_active(0) && i < call.inputs(); ++i) {
    if (call.has(i)) parameters += call.take_parameters(i, true);
  }
  call.map_same(OperatorKind::layer_norm, role, parameters);
}

}  // namespace

void read_layer_norm(NodeCall& call) { read_norm(call, "layer_norm"); }

void read_rms_norm(NodeCall& call) { read_norm(call, "rms_norm"); }

void read_instance_norm(NodeCall& call) {
  std::int64_t parameters = 0;
  for (std::size_t i = 1; call.is_active(0) && i < call.inputs(); ++i) parameters += call.take_parameters(i, false);
  call.map_same(OperatorKind::layer_norm, snake_case(call.node().type), parameters);
}

void read_response_norm(NodeCall& call) { call.map_same(OperatorKind::response_norm, "response_norm"); }

void read_softmax(NodeCall& call) { call.map_same(OperatorKind::softmax, "softmax"); }

namespace {

/// True if a reduction leaves one value per channel of a single map or sequence.
bool leaves_channels(const TensorValue& x, const std::vector<bool>& reduced) {
  if (x.channel >= x.shape.size() || reduced[x.channel]) return false;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (i != x.channel && !reduced[i] && x.shape[i] != 1) return false;
  }
  return true;
}

}  // namespace

void read_reduction(NodeCall& call) {
  const TensorValue& x = call.in(0);
  std::vector<bool> reduced(x.shape.size(), false);
  const std::string& type = call.node().type;
  const bool has_one_axis = type == "ArgMax" || type == "ArgMin";
  std::vector<std::int64_t> axes;
  if (has_one_axis) {
    axes.push_back(call.attribute("axis", std::int64_t{0}));
  } else {
    axes = call.setting("axes", 1).value_or(std::vector<std::int64_t>{});
  }
  for (const std::int64_t axis : axes) reduced[axis_of(axis, reduced.size())] = true;
  if (axes.empty() && call.attribute("noop_with_empty_axes", std::int64_t{0}) == 0)
    reduced.assign(reduced.size(), true);
  const bool keeps = call.attribute("keepdims", std::int64_t{1}) != 0;
  Shape result;
  std::size_t channel = 0;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (i == x.channel) channel = result.size();
    if (!reduced[i]) result.push_back(x.shape[i]);
    if (reduced[i] && keeps) result.push_back(1);
  }
  const bool loses_channel = x.channel >= x.shape.size() || (reduced[x.channel] && !keeps);
  if (loses_channel) channel = result.empty() ? 0 : result.size() - 1;
  const bool pools = leaves_channels(x, reduced);
  if (pools && call.is_active(0)) {
    const DraftId pool = call.add(OperatorKind::global_pool, "global_pool", {{1, x.shape[x.channel]}}, {call.draft(0)});
    return call.give(0, pool, result, channel);
  }
  call.map(OperatorKind::slice, snake_case(type), result, channel);
}

}  // namespace pimsweep::workload::import
