#include "workload/import/constant_folding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "base/downward.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::size_t max_folded_elements = 4096;

using Numbers = std::vector<double>;

/// Index into a tensor of shape `from` that corresponds to `index` in shape `to`, to which the tensor is broadcast.
std::size_t broadcast_index(std::size_t index, const Shape& from, const Shape& to) {
  std::size_t result = 0;
  std::size_t stride = 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto extent = static_cast<std::size_t>(to[to.size() - 1 - i]);
    const std::size_t place = index % extent;
    index /= extent;
    if (i >= from.size()) continue;
    const auto own = static_cast<std::size_t>(from[from.size() - 1 - i]);
    if (own != 1) result += stride * place;
    stride *= own;
  }
  return result;
}

double at(const NodeCall& call, std::size_t input, std::size_t index, const Shape& to) {
  return call.in(input).numbers[broadcast_index(index, call.shape(input), to)];
}

double quotient(double a, double b) { return a / b; }
double whole_quotient(double a, double b) { return std::trunc(a / b); }
/// The sign is that of the divisor, as in ONNX.
double remainder_of(double a, double b) { return a - b * std::floor(a / b); }

struct BinaryFold {
  std::string_view type;
  double (*real)(double, double);
  double (*integer)(double, double);
};

constexpr std::array binary_folds{
    BinaryFold{"Add", [](double a, double b) { return a + b; }, nullptr},
    BinaryFold{"Sub", [](double a, double b) { return a - b; }, nullptr},
    BinaryFold{"Mul", [](double a, double b) { return a * b; }, nullptr},
    BinaryFold{"Div", quotient, whole_quotient},
    BinaryFold{"Mod", remainder_of, nullptr},
    BinaryFold{"Pow", [](double a, double b) { return std::pow(a, b); }, nullptr},
    BinaryFold{"Min", [](double a, double b) { return std::min(a, b); }, nullptr},
    BinaryFold{"Max", [](double a, double b) { return std::max(a, b); }, nullptr},
    BinaryFold{"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; }, nullptr},
    BinaryFold{"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; }, nullptr},
    BinaryFold{"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; }, nullptr},
    BinaryFold{"And", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, nullptr},
    BinaryFold{"Or", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, nullptr},
};

struct UnaryFold {
  std::string_view type;
  double (*apply)(double);
};

constexpr std::array unary_folds{UnaryFold{"Floor", [](double x) { return std::floor(x); }},
                                 UnaryFold{"Ceil", [](double x) { return std::ceil(x); }},
                                 UnaryFold{"Round", [](double x) { return std::nearbyint(x); }},
                                 UnaryFold{"Neg", [](double x) { return -x; }},
                                 UnaryFold{"Abs", [](double x) { return std::fabs(x); }},
                                 UnaryFold{"Sqrt", [](double x) { return std::sqrt(x); }},
                                 UnaryFold{"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }}};

Numbers concatenated(const NodeCall& call) {
  Numbers result;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    result.insert(result.end(), call.in(i).numbers.begin(), call.in(i).numbers.end());
  }
  return result;
}

Numbers gathered(const NodeCall& call) {
  Numbers result;
  const Numbers& data = call.numbers(0);
  for (const double index : call.numbers(1)) {
    const auto size = static_cast<double>(data.size());
    const double place = index < 0 ? index + size : index;
    if (!(place >= 0 && place < size)) throw Refusal("takes an element that its input does not have");
    result.push_back(data[static_cast<std::size_t>(place)]);
  }
  return result;
}

/// Row-major strides of a tensor, in elements.
std::vector<std::int64_t> strides_of(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Elements of `data` gathered into a tensor of shape `to`, starting at `first` with the given strides.
Numbers strided(const Numbers& data, std::int64_t first, const std::vector<std::int64_t>& strides, const Shape& to) {
  Numbers result;
  const std::int64_t size = elements_of(to);
  for (std::int64_t place = 0; place < size; ++place) {
    std::int64_t index = first;
    std::int64_t rest = place;
    for (const std::size_t i : downward(to.size())) {
      index += rest % to[i] * strides[i];
      rest /= to[i];
    }
    result.push_back(data.at(static_cast<std::size_t>(index)));
  }
  return result;
}

Numbers sliced(const NodeCall& call, const Shape& result) {
  const Shape& shape = call.shape(0);
  const std::vector<std::int64_t> starts = call.setting("starts", 1).value_or(std::vector<std::int64_t>{});
  std::vector<std::int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  axes = call.setting("axes", 3).value_or(axes);
  const std::vector<std::int64_t> steps = call.has(4) ? call.integers(4) : std::vector<std::int64_t>(starts.size(), 1);
  std::vector<std::int64_t> strides = strides_of(shape);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], shape.size());
    const std::int64_t place = starts[i] < 0 ? std::max(starts[i], -shape[axis]) + shape[axis] : starts[i];
    first += std::clamp<std::int64_t>(place, 0, shape[axis] - 1) * strides[axis];
    // A slice of one element may have any step.
    strides[axis] = result[axis] == 1 ? 0 : strides[axis] * steps[i];
  }
  return strided(call.numbers(0), first, strides, result);
}

/// Part of a list that a Split node writes to output `output`.
Numbers split_part(const NodeCall& call, std::size_t output) {
  const Shape& shape = call.shape(0);
  const std::size_t axis = axis_of(call.attribute("axis", std::int64_t{0}), shape.size());
  const auto shape_of = [&](std::size_t i) -> const Shape& {
    return call.state().values.at(call.node().outputs[i]).shape;
  };
  const std::vector<std::int64_t> strides = strides_of(shape);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < output; ++i) first += shape_of(i)[axis] * strides[axis];
  return strided(call.numbers(0), first, strides, shape_of(output));
}

Numbers transposed(const NodeCall& call, const Shape& result) {
  const std::vector<std::int64_t> own = strides_of(call.shape(0));
  const std::vector<std::int64_t> order = call.attribute("perm", std::vector<std::int64_t>{});
  std::vector<std::int64_t> strides(own.rbegin(), own.rend());
  for (std::size_t i = 0; i < order.size(); ++i) strides[i] = own[axis_of(order[i], own.size())];
  return strided(call.numbers(0), 0, strides, result);
}

Numbers reduced(const NodeCall& call) {
  const Numbers& data = call.numbers(0);
  const std::string& type = call.node().type;
  double result = type == "ReduceProd" ? 1 : type == "ReduceSum" ? 0 : data.front();
  for (const double number : data) {
    if (type == "ReduceProd") result *= number;
    if (type == "ReduceSum") result += number;
    if (type == "ReduceMax") result = std::max(result, number);
    if (type == "ReduceMin") result = std::min(result, number);
  }
  return {result};
}

constexpr std::array<std::string_view, 4> reductions{"ReduceProd", "ReduceSum", "ReduceMax", "ReduceMin"};

template <typename List>
const auto* find_fold(const List& list, std::string_view type) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& fold) { return fold.type == type; });
  return found == list.end() ? nullptr : &*found;
}

/// Elements of an output of this shape; empty if nodes of this type are not folded.
Numbers folded(const NodeCall& call, const Shape& shape) {
  const std::string& type = call.node().type;
  const auto size = static_cast<std::size_t>(elements_of(shape));
  Numbers result;
  if (const auto* fold = find_fold(binary_folds, type); fold != nullptr && call.inputs() == 2) {
    const auto apply = fold->integer != nullptr && !call.in(0).is_floating ? fold->integer : fold->real;
    for (std::size_t i = 0; i < size; ++i) result.push_back(apply(at(call, 0, i, shape), at(call, 1, i, shape)));
  } else if (const auto* function = find_fold(unary_folds, type)) {
    for (const double number : call.numbers(0)) result.push_back(function->apply(number));
  } else if (type == "Where") {
    for (std::size_t i = 0; i < size; ++i) result.push_back(at(call, at(call, 0, i, shape) != 0 ? 1 : 2, i, shape));
  } else if (type == "Expand") {
    for (std::size_t i = 0; i < size; ++i) result.push_back(at(call, 0, i, shape));
  } else if (type == "Concat" && shape.size() == 1) {
    result = concatenated(call);
  } else if (type == "Gather" && call.shape(0).size() == 1) {
    result = gathered(call);
  } else if (type == "Transpose") {
    result = transposed(call, shape);
  } else if (type == "Slice") {
    result = sliced(call, shape);
  } else if (std::find(reductions.begin(), reductions.end(), type) != reductions.end() && size == 1) {
    result = reduced(call);
  }
  return result;
}

bool is_known(const NodeCall& call) {
  if (call.inputs() == 0) return false;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    // One of the joined lists may be empty.
    if (call.has(i) && !call.in(i).has_numbers() && call.in(i).shape != Shape{0}) return false;
  }
  return true;
}

}  // namespace

namespace {

void fold_output(NodeCall& call, std::size_t output) {
  const std::string& name = call.node().outputs[output];
  if (name.empty()) return;
  TensorValue& value = call.state().values.at(name);
  if (value.is_active() || value.has_numbers() || value.shape == Shape{0}) return;
  if (elements_of(value.shape) > static_cast<std::int64_t>(max_folded_elements)) return;
  Numbers numbers = call.node().type == "Split" ? split_part(call, output) : folded(call, value.shape);
  if (numbers.size() != static_cast<std::size_t>(elements_of(value.shape))) return;
  call.state().held_numbers += numbers.size();
  value.numbers = std::move(numbers);
}

}  // namespace

void fold_constants(NodeCall& call) {
  if (!is_known(call)) return;
  const std::size_t outputs = call.node().type == "Split" ? call.node().outputs.size() : 1;
  for (std::size_t i = 0; i < std::min(outputs, call.node().outputs.size()); ++i) fold_output(call, i);
}

}  // namespace pimsweep::workload::import
