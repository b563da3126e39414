#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/downward.h"
#include "base/words.h"
#include "workload/onnx_export/rules.h"

namespace pimsweep::workload::onnx_export {

namespace {

/// In the layout of the first input.
std::string as_it_is(OperatorWriter& w, std::size_t input) { return w.in(input, w.layout(0)); }

std::int64_t last_axis(OperatorWriter& w) {
  return static_cast<std::int64_t>(shape_in(Layout::channels_last, w.output()).size()) - 1;
}

/// x over the root of the mean of its squares.
std::string root_mean_square(OperatorWriter& w) {
  constexpr float epsilon = 1e-6F;
  const std::string x = w.last(0);
  const std::string mean = w.node("ReduceMean", {w.node("Mul", {x, x})}, {{"axes", Shape{last_axis(w)}}});
  return w.node("Div", {x, w.node("Sqrt", {w.node("Add", {mean, w.number(epsilon)})})});
}

}  // namespace

void write_layer_norm(OperatorWriter& w) {
  const std::int64_t channels = w.output().back();
  const std::int64_t learned = w.op().parameters;
  if (learned != 0 && learned != channels && learned != 2 * channels) {
    throw import::Refusal(fmt::format("normalizes with {} parameters for {} channels", learned, channels));
  }
  if (w.op().role == "rms_norm" && learned <= channels) {
    const std::string norm = root_mean_square(w);
    return w.give_last(learned == 0 ? norm : w.node("Mul", {norm, w.learned("scale", {channels})}));
  }
  if (learned == 0) {
    return w.give_last(w.node("MeanVarianceNormalization", {w.last(0)}, {{"axes", Shape{last_axis(w)}}}));
  }
  std::vector<std::string> inputs{w.last(0), w.learned("scale", {channels})};
  if (learned == 2 * channels) inputs.push_back(w.learned("offset", {channels}));
  w.give_last(w.node("LayerNormalization", inputs, {{"axis", last_axis(w)}}));
}

void write_batch_norm(OperatorWriter& w) {
  const std::int64_t channels = w.output().back();
  if (w.op().parameters != 2 * channels) {
    throw import::Refusal(fmt::format("normalizes with {} parameters for {} channels", w.op().parameters, channels));
  }
  const bool is_map = w.rank() > 2;
  std::vector<std::string> inputs{is_map ? w.map(0) : w.last(0)};
  for (const char* name : {"scale", "offset", "mean", "variance"}) inputs.push_back(w.learned(name, {channels}));
  w.give(w.node("BatchNormalization", inputs), is_map ? Layout::channels_first : Layout::channels_last);
}

void write_response_norm(OperatorWriter& w) {
  // The width that AlexNet has; a graph does not hold it.
  constexpr std::int64_t size = 5;
  w.give(w.node("LRN", {w.map(0)}, {{"size", size}}), Layout::channels_first);
}

void write_softmax(OperatorWriter& w) { w.give_last(w.node("Softmax", {w.last(0)}, {{"axis", std::int64_t{-1}}})); }

namespace {

std::string gelu(OperatorWriter& w, const std::string& x) {
  constexpr float root_of_two = 1.41421356F;
  const std::string error = w.node("Erf", {w.node("Div", {x, w.number(root_of_two)})});
  const std::string gate = w.node("Mul", {w.node("Add", {error, w.number(1)}), w.number(0.5F)});
  return w.node("Mul", {x, gate});
}

std::string silu(OperatorWriter& w, const std::string& x) { return w.node("Mul", {x, w.node("Sigmoid", {x})}); }

std::string mish(OperatorWriter& w, const std::string& x) {
  return w.node("Mul", {x, w.node("Tanh", {w.node("Softplus", {x})})});
}

std::string relu6(OperatorWriter& w, const std::string& x) { return w.node("Clip", {x, w.number(0), w.number(6)}); }

/// Turns each pair of neighboring channels by an angle: the position over the wavelength of the pair (arXiv 2104.09864,
/// Sec. 3.2). A graph holds neither.
std::string rotary(OperatorWriter& w, const std::string& x) {
  constexpr std::int64_t float32 = onnx::TensorProto::FLOAT;
  const std::int64_t channels = w.output().back();
  const std::int64_t tokens = w.op().output.elements() / channels;
  if (channels % 2 != 0) throw import::Refusal("rotates an odd number of channels");
  const auto table = [&](std::string_view name, const Shape& shape) {
    return w.node("Cast", {w.indices(name, shape)}, {{"to", float32}});
  };
  const std::string angle =
      w.node("Div", {table("positions", {tokens, 1, 1}), table("wavelengths", {channels / 2, 1})});
  const std::string cosine = w.node("Cos", {angle});
  const std::string sine = w.node("Sin", {angle});
  const std::string pairs = w.reshape(x, {tokens, channels / 2, 2});
  const auto part = [&](std::int64_t first) {
    return w.node("Slice", {pairs, w.integers({first}), w.integers({first + 1}), w.integers({2})});
  };
  const std::string a = part(0);
  const std::string b = part(1);
  const std::string left = w.node("Sub", {w.node("Mul", {a, cosine}), w.node("Mul", {b, sine})});
  const std::string right = w.node("Add", {w.node("Mul", {a, sine}), w.node("Mul", {b, cosine})});
  return w.reshape(w.node("Concat", {left, right}, {{"axis", std::int64_t{2}}}),
                   shape_in(Layout::channels_last, w.output()));
}

using SpelledFunction = std::string (*)(OperatorWriter& w, const std::string& x);

/// Role of an activation, and its ONNX operator or the function that composes it.
struct Function {
  std::string_view role;
  std::string_view type;
  SpelledFunction spelled = nullptr;
};

constexpr std::array functions{
    Function{"relu", "Relu"},
    Function{"relu6", "", relu6},
    Function{"leaky_relu", "LeakyRelu"},
    Function{"gelu", "", gelu},
    Function{"silu", "", silu},
    Function{"mish", "", mish},
    Function{"rotary", "", rotary},
    Function{"sigmoid", "Sigmoid"},
    Function{"tanh", "Tanh"},
    Function{"hard_swish", "HardSwish"},
    Function{"hard_sigmoid", "HardSigmoid"},
    Function{"elu", "Elu"},
    Function{"selu", "Selu"},
    Function{"softplus", "Softplus"},
    Function{"erf", "Erf"},
    Function{"exp", "Exp"},
    Function{"log", "Log"},
    Function{"sqrt", "Sqrt"},
    Function{"neg", "Neg"},
    Function{"abs", "Abs"},
    Function{"reciprocal", "Reciprocal"},
};

}  // namespace

void write_activation(OperatorWriter& w) {
  const auto* found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.role == w.op().role; });
  if (found == functions.end()) throw import::Refusal(fmt::format("is the function '{}'", w.op().role));
  if (w.op().parameters != 0) throw import::Refusal("is a function with learned values");
  const std::string x = as_it_is(w, 0);
  w.give(found->spelled != nullptr ? found->spelled(w, x) : w.node(found->type, {x}), w.layout(0));
}

namespace {

/// Trailing dimensions of `shape` with `elements` elements in total; empty if there are none.
Shape trailing(const Shape& shape, std::int64_t elements) {
  std::int64_t product = 1;
  for (const std::size_t i : downward(shape.size())) {
    product *= shape[i];
    if (product == elements) return {shape.begin() + static_cast<std::ptrdiff_t>(i), shape.end()};
  }
  return {};
}

/// The learned values that are added to a tensor: the same ones for all leading dimensions; a row of a table for each
/// token, in order or by its index; or a value for each element by its index.
std::string learned_terms(OperatorWriter& w) {
  const std::int64_t count = w.op().parameters;
  const Shape& shape = w.output();
  if (const Shape values = trailing(shape, count); !values.empty()) return w.learned("values", values);
  const std::int64_t channels = shape.back();
  if (w.rank() == 2 && count % channels == 0) {
    const std::int64_t rows = count / channels;
    const std::string table = w.learned("table", {rows, channels});
    if (rows > shape[0]) return w.node("Slice", {table, w.integers({0}), w.integers({shape[0]}), w.integers({0})});
    return w.node("Gather", {table, w.indices("rows", {shape[0]})});
  }
  return w.node("Gather", {w.learned("table", {count}), w.indices("indices", shape)});
}

constexpr Words<std::string_view, 4> sums{{{"sub", "Sub"}, {"max", "Max"}, {"min", "Min"}, {"mean", "Mean"}}};
/// Functions of several inputs that the importer takes as sums.
constexpr std::array<std::string_view, 12> other_functions{"and",  "equal",         "greater", "greater_or_equal",
                                                           "less", "less_or_equal", "mod",     "or",
                                                           "pow",  "where",         "xor",     "bit_shift"};

}  // namespace

void write_add(OperatorWriter& w) {
  if (std::find(other_functions.begin(), other_functions.end(), w.op().role) != other_functions.end()) {
    throw import::Refusal(fmt::format("is the function '{}'", w.op().role));
  }
  const bool has_learned = w.op().parameters != 0;
  const Layout layout = has_learned ? Layout::channels_last : w.layout(0);
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < w.inputs(); ++i) terms.push_back(w.in(i, layout));
  if (has_learned) terms.push_back(learned_terms(w));
  const std::string_view type = value_of(sums, w.op().role).value_or(terms.size() == 2 ? "Add" : "Sum");
  w.give(w.node(type, terms), layout);
}

void write_multiply(OperatorWriter& w) {
  const std::string_view type = w.op().role == "div" ? "Div" : "Mul";
  const Layout layout = w.layout(0);
  const std::string x = as_it_is(w, 0);
  if (w.shape(1) == w.shape(0)) return w.give(w.node(type, {x, as_it_is(w, 1)}), layout);
  const std::int64_t channels = w.output().back();
  const Shape extents = layout == Layout::channels_first ? Shape{1, channels, 1, 1} : Shape{1, channels};
  std::string factors = w.last(1);
  if (shape_in(Layout::channels_last, w.shape(1)) != extents) factors = w.reshape(factors, extents);
  w.give(w.node(type, {x, factors}), layout);
}

}  // namespace pimsweep::workload::onnx_export
