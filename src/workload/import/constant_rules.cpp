#include <algorithm>
#include <cmath>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

/// Maximum length of a constant whose elements are kept; shapes are much shorter.
constexpr std::int64_t max_numbers = 4096;

/// Marks a constant of several numbers as learned if an operator uses it as weights.
void count_as_weights(NodeCall& call, std::int64_t elements, double quantized_bits = 0) {
  if (elements <= 1) return;
  call.state().values.at(call.node().outputs[0]).weights.push_back(call.state().learned.size());
  call.state().learned.push_back({elements, true, false, quantized_bits});
}

}  // namespace

void read_alias(NodeCall& call) { call.give_alias(0, call.shape(0), call.in(0).channel); }

void read_cast(NodeCall& call) {
  read_alias(call);
  TensorValue& value = call.state().values.at(call.node().outputs[0]);
  if (!value.is_active()) {
    constexpr std::int64_t to_float = 1;
    constexpr std::int64_t to_half = 10;
    constexpr std::int64_t to_double = 11;
    const std::int64_t type = call.attribute("to", std::int64_t{0});
    value.is_floating = type == to_float || type == to_half || type == to_double;
    if (!value.is_floating) {
      for (double& number : value.numbers) number = std::trunc(number);
    }
  }
}

void read_constant(NodeCall& call) {
  const auto& attributes = call.node().attributes;
  const auto whole = [&](std::string_view key) { return attributes.find(key); };
  if (const auto tensor = whole("value"); tensor != attributes.end()) {
    const OnnxTensor& value = tensor->second.tensor;
    call.give_constant(0, value.shape, value.values, value.is_floating);
    if (value.may_be_weights && value.shape != Shape{0}) {
      count_as_weights(call, elements_of(value.shape), value.quantized_bits);
    }
    return;
  }
  if (const auto real = whole("value_float"); real != attributes.end()) {
    call.give_constant(0, {}, {real->second.real}, true);
  } else if (const auto integer = whole("value_int"); integer != attributes.end()) {
    call.give_constant(0, {}, {static_cast<double>(integer->second.integer)});
  } else if (const auto integers = whole("value_ints"); integers != attributes.end()) {
    const std::vector<std::int64_t>& list = integers->second.integers;
    call.give_constant(0, {static_cast<std::int64_t>(list.size())}, {list.begin(), list.end()});
  } else if (const auto reals = whole("value_floats"); reals != attributes.end()) {
    const std::vector<double>& list = reals->second.reals;
    call.give_constant(0, {static_cast<std::int64_t>(list.size())}, list, true);
  } else {
    throw Refusal("is a constant of an unsupported kind (texts, sparse tensors)");
  }
}

void read_constant_of_shape(NodeCall& call) {
  const Shape shape = call.integers(0);
  double number = 0;
  bool is_floating = true;
  if (const auto value = call.node().attributes.find("value"); value != call.node().attributes.end()) {
    if (!value->second.tensor.values.empty()) number = value->second.tensor.values.front();
    is_floating = value->second.tensor.is_floating;
  }
  const std::int64_t elements = shape == Shape{0} ? 0 : elements_of(shape);
  std::vector<double> numbers;
  if (elements <= max_numbers) numbers.assign(static_cast<std::size_t>(elements), number);
  call.give_constant(0, shape, std::move(numbers), is_floating);
  if (is_floating) count_as_weights(call, elements);
}

void read_shape(NodeCall& call) {
  const Shape& shape = call.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = [&](std::string_view key, std::int64_t otherwise) {
    const std::int64_t index = call.attribute(key, otherwise);
    return std::clamp<std::int64_t>(index < 0 ? index + rank : index, 0, rank);
  };
  if (call.node().type == "Size") {
    return call.give_constant(0, {}, {static_cast<double>(elements_of(shape))});
  }
  const std::int64_t first = place("start", 0);
  const std::int64_t last = std::max(first, place("end", rank));
  call.give_constant(0, {last - first}, {shape.begin() + first, shape.begin() + last});
}

void read_range(NodeCall& call) {
  const double start = call.numbers(0).front();
  const double limit = call.numbers(1).front();
  const double step = call.numbers(2).front();
  const double count = std::ceil((limit - start) / step);
  if (!(count < 0x1p53)) throw Refusal("has an infinite range");
  const auto length = static_cast<std::int64_t>(std::max(count, 0.0));
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < length && length <= max_numbers; ++i) {
    numbers.push_back(start + static_cast<double>(i) * step);
  }
  call.give_constant(0, {length}, std::move(numbers), call.in(0).is_floating);
}

}  // namespace pimsweep::workload::import
