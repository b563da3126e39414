#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "workload/import/importer.h"

namespace pimsweep::workload::import {

namespace {

/// Generous limit for shape arithmetic.
constexpr std::size_t max_held_numbers = 4'000'000;
constexpr std::size_t max_learned_parts = 64;

const OnnxAttribute* find_attribute(const OnnxNode& node, std::string_view key) {
  const auto found = node.attributes.find(key);
  return found == node.attributes.end() ? nullptr : &found->second;
}

std::vector<std::int64_t> whole(const std::vector<double>& numbers) {
  std::vector<std::int64_t> result;
  result.reserve(numbers.size());
  constexpr double limit = 9e18;
  for (const double number : numbers) {
    if (std::isnan(number)) throw Refusal("has a shape with an entry that is not a number");
    result.push_back(static_cast<std::int64_t>(std::clamp(number, -limit, limit)));
  }
  return result;
}

}  // namespace

NodeCall::NodeCall(ImportState& state, const OnnxNode& node, std::string name)
    : state_(state), node_(node), name_(std::move(name)) {
  inputs_.reserve(node.inputs.size());
  for (const std::string& input : node.inputs) {
    inputs_.push_back(input.empty() ? nullptr : &state.values.at(input));
  }
}

const TensorValue& NodeCall::in(std::size_t input) const {
  if (!has(input)) throw Refusal(fmt::format("lacks its input {}", input + 1));
  return *inputs_[input];
}

const TensorValue& NodeCall::given() const {
  const auto named = std::ranges::find_if(node_.outputs, [](const std::string& name) { return !name.empty(); });
  if (named == node_.outputs.end()) throw Refusal("has no output");
  return state_.values.at(*named);
}

bool NodeCall::any_active() const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](const TensorValue* value) { return value != nullptr && value->is_active(); });
}

const std::vector<double>& NodeCall::numbers(std::size_t input) const {
  if (!in(input).has_numbers()) {
    throw Refusal(
        fmt::format("has an input '{}' that must be constant but depends on the network's input", node_.inputs[input]));
  }
  return in(input).numbers;
}

std::vector<std::int64_t> NodeCall::integers(std::size_t input) const {
  // An empty list is constant although it has no numbers.
  if (in(input).shape == Shape{0}) return {};
  return whole(numbers(input));
}

std::int64_t NodeCall::attribute(std::string_view key, std::int64_t otherwise) const {
  const OnnxAttribute* found = find_attribute(node_, key);
  return found == nullptr ? otherwise : found->integer;
}

std::vector<std::int64_t> NodeCall::attribute(std::string_view key, const std::vector<std::int64_t>& otherwise) const {
  const OnnxAttribute* found = find_attribute(node_, key);
  return found == nullptr ? otherwise : found->integers;
}

std::string NodeCall::attribute(std::string_view key, const std::string& otherwise) const {
  const OnnxAttribute* found = find_attribute(node_, key);
  return found == nullptr ? otherwise : found->text;
}

std::optional<std::vector<std::int64_t>> NodeCall::setting(std::string_view key, std::size_t input) const {
  if (const OnnxAttribute* found = find_attribute(node_, key)) return found->integers;
  if (has(input)) return integers(input);
  return std::nullopt;
}

std::int64_t NodeCall::take_parameters(std::size_t input, bool as_weights) {
  std::int64_t sum = 0;
  for (const std::size_t id : in(input).weights) {
    LearnedTensor& tensor = state_.learned[id];
    if (tensor.counted || (tensor.counts_as_weights_only && !as_weights)) continue;
    sum += tensor.elements;
    tensor.counted = true;
  }
  return sum;
}

void NodeCall::count_weights(Operator& op, std::size_t input) {
  const std::int64_t fresh = take_parameters(input, true);
  op.shares_weights = fresh == 0 && !in(input).weights.empty();
  op.weights = op.shares_weights ? 0 : elements_of(shape(input));
  op.parameters += fresh;
  op.weight_bits = quantized_bits(input);
  // The operator uses part of a larger tensor, such as one expert's matrix out of all; the rest is idle.
  if (in(input).weights.size() == 1 && fresh > op.weights) op.idle = fresh - op.weights;
}

double NodeCall::quantized_bits(std::size_t input) const {
  double bits = 0;
  double elements = 0;
  for (const std::size_t id : in(input).weights) {
    const LearnedTensor& tensor = state_.learned[id];
    if (tensor.quantized_bits == 0) return 0;
    bits += static_cast<double>(tensor.elements) * tensor.quantized_bits;
    elements += static_cast<double>(tensor.elements);
  }
  return elements == 0 ? 0 : bits / elements;
}

DraftId NodeCall::draft(std::size_t input) {
  const TensorValue& value = in(input);
  if (value.draft) return *value.draft;
  return add(OperatorKind::input, "constant", channels_last(value.shape, value.channel), {});
}

DraftId NodeCall::laid_out(std::size_t input, std::size_t channel) {
  const TensorValue& value = in(input);
  return view(draft(input), channels_last(value.shape, channel), value.channel == channel ? "reshape" : "transpose");
}

DraftId NodeCall::view(DraftId draft, const Tensor& tensor, std::string_view role) {
  if (state_.drafts.node(draft).output == tensor) return draft;
  return add(OperatorKind::reshape, role, tensor, {draft});
}

DraftId NodeCall::expanded(std::size_t input, const Shape& shape, std::size_t channel) {
  if (!is_active(input)) return add(OperatorKind::input, "constant", channels_last(shape, channel), {});
  Shape aligned = in(input).shape;
  const std::size_t added = shape.size() - aligned.size();
  aligned.insert(aligned.begin(), added, 1);
  const Tensor target = channels_last(shape, channel);
  const TensorValue& value = in(input);
  const bool keeps_channel = value.channel + added == channel || aligned[channel] == 1;
  const DraftId source = view(draft(input), channels_last(aligned, channel), keeps_channel ? "reshape" : "transpose");
  if (state_.drafts.node(source).output == target) return source;
  return add(OperatorKind::gather, "broadcast", target, {source});
}

DraftId NodeCall::add(Operator op, const std::vector<DraftId>& inputs) {
  op.name = name_;
  return state_.drafts.add(std::move(op), inputs);
}

DraftId NodeCall::add(OperatorKind kind, std::string_view role, Tensor output, const std::vector<DraftId>& inputs) {
  Operator op;
  op.kind = kind;
  op.role = role;
  op.output = std::move(output);
  return add(std::move(op), inputs);
}

void NodeCall::give(std::size_t output, DraftId draft, Shape shape, std::size_t channel) {
  if (output >= node_.outputs.size() || node_.outputs[output].empty()) return;
  elements_of(shape);
  TensorValue value;
  value.draft = view(draft, channels_last(shape, channel));
  value.shape = std::move(shape);
  value.channel = channel;
  state_.values[node_.outputs[output]] = std::move(value);
}

void NodeCall::give_alias(std::size_t input, Shape shape, std::size_t channel) {
  if (in(input).is_active()) {
    give(0, *in(input).draft, std::move(shape), channel);
  } else {
    give_constant(0, std::move(shape), in(input).numbers, in(input).is_floating);
    state_.values[node_.outputs[0]].channel = channel;
  }
}

void NodeCall::give_constant(std::size_t output, Shape shape, std::vector<double> numbers, bool is_floating) {
  if (output >= node_.outputs.size() || node_.outputs[output].empty()) return;
  TensorValue value;
  if (shape != Shape{0}) elements_of(shape);
  value.channel = shape.empty() ? 0 : shape.size() - 1;
  value.shape = std::move(shape);
  value.is_floating = is_floating;
  state_.held_numbers += numbers.size();
  if (state_.held_numbers > max_held_numbers) {
    throw InputError(fmt::format("the network computes more than {} constants", max_held_numbers));
  }
  value.numbers = std::move(numbers);
  for (const TensorValue* input : inputs_) {
    if (input == nullptr) continue;
    for (const std::size_t id : input->weights) {
      if (std::find(value.weights.begin(), value.weights.end(), id) == value.weights.end()) value.weights.push_back(id);
    }
  }
  if (value.weights.size() > max_learned_parts) {
    throw Refusal(fmt::format("makes one constant of more than {} learned tensors", max_learned_parts));
  }
  state_.values[node_.outputs[output]] = std::move(value);
}

void NodeCall::map(OperatorKind kind, std::string_view role, Shape shape, std::size_t channel, std::size_t output) {
  if (!is_active(0)) {
    give_constant(output, std::move(shape), {}, in(0).is_floating);
    return;
  }
  give(output, add(kind, role, channels_last(shape, channel), {draft(0)}), shape, channel);
}

void NodeCall::map_same(OperatorKind kind, std::string_view role, std::int64_t parameters) {
  const TensorValue& x = in(0);
  if (!x.is_active()) {
    give_constant(0, x.shape, {}, x.is_floating);
    return;
  }
  Operator op;
  op.kind = kind;
  op.role = role;
  op.output = channels_last(x.shape, x.channel);
  op.parameters = parameters;
  give(0, add(std::move(op), {*x.draft}), x.shape, x.channel);
}

MatrixProduct checked_product(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  constexpr double max_macs = 4e18;
  const double macs = static_cast<double>(batch) * static_cast<double>(rows) * static_cast<double>(inner) *
                      static_cast<double>(columns);
  if (macs > max_macs) throw Refusal("has more multiply-accumulates than 64-bit integers can count");
  return {batch, rows, inner, columns};
}

}  // namespace pimsweep::workload::import
