#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

std::int64_t product_of(const Shape& shape, std::size_t begin, std::size_t end) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                         shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1}, std::multiplies<>());
}

/// GEMM of a tensor, whose channels are the inner dimension, and a learned matrix.
Operator make_linear(NodeCall& call, const Tensor& in, std::int64_t columns, std::size_t weights) {
  Operator op;
  op.kind = OperatorKind::linear;
  op.role = "linear";
  op.output = in;
  op.output.shape.back() = columns;
  elements_of(op.output.shape);
  op.product = checked_product(1, in.elements() / in.shape.back(), in.shape.back(), columns);
  call.count_weights(op, weights);
  return op;
}

/// Multiplies x by the learned input `weights` along dimension `inner`, whose extent in the result is `columns`.
void give_linear(NodeCall& call, std::size_t x, std::size_t inner, std::size_t weights, std::int64_t columns,
                 const Shape& result) {
  const DraftId input = call.laid_out(x, inner);
  Operator op = make_linear(call, channels_last(call.shape(x), inner), columns, weights);
  call.give(0, call.add(std::move(op), {input}), result, inner);
}

/// Repeats a factor for each batch of the other one.
DraftId batched(NodeCall& call, std::size_t input, std::int64_t batch, std::int64_t matrix) {
  const DraftId draft = call.draft(input);
  if (elements_of(call.shape(input)) == batch * matrix) return draft;
  Tensor tensor = call.state().drafts.node(draft).output;
  tensor.shape.insert(tensor.shape.begin(), batch * matrix / tensor.elements());
  return call.add(OperatorKind::gather, "broadcast", std::move(tensor), {draft});
}

/// GEMM of two tensors, at least one of which depends on the network's input.
void give_matmul(NodeCall& call, const MatrixProduct& product, const Shape& result) {
  const std::size_t channel = result.empty() ? 0 : result.size() - 1;
  Operator op;
  op.kind = OperatorKind::matmul;
  op.role = "matmul";
  op.output = channels_last(result, channel);
  op.product = product;
  for (const std::size_t input : {std::size_t{0}, std::size_t{1}}) {
    if (!call.is_active(input)) op.parameters += call.take_parameters(input, true);
  }
  const DraftId left = batched(call, 0, product.batch, product.rows * product.inner);
  const DraftId right = batched(call, 1, product.batch, product.inner * product.columns);
  call.give(0, call.add(std::move(op), {left, right}), result, channel);
}

}  // namespace

void read_matmul(NodeCall& call) {
  Shape a = call.shape(0);
  Shape b = call.shape(1);
  if (a.empty() || b.empty()) throw Refusal("multiplies a single number");
  const bool row = a.size() == 1;
  const bool column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.push_back(1);
  const std::int64_t rows = a[a.size() - 2];
  const std::int64_t inner = a.back();
  const std::int64_t columns = b.back();
  if (b[b.size() - 2] != inner) {
    throw Refusal(fmt::format("multiplies matrices of {} x {} and {} x {}", rows, inner, b[b.size() - 2], columns));
  }
  Shape result = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  const std::int64_t batch = elements_of(result);
  if (!row) result.push_back(rows);
  if (!column) result.push_back(columns);
  if (!call.any_active()) return call.give_constant(0, result, {}, true);
  const auto is_one_matrix = [](const Shape& shape) { return product_of(shape, 0, shape.size() - 2) == 1; };
  if (!call.is_active(1) && is_one_matrix(b) && !row && !column && b.size() <= a.size()) {
    return give_linear(call, 0, a.size() - 1, 1, columns, result);
  }
  if (!call.is_active(0) && is_one_matrix(a) && !row && !column && a.size() <= b.size()) {
    return give_linear(call, 1, b.size() - 2, 0, rows, result);
  }
  give_matmul(call, checked_product(batch, rows, inner, columns), result);
}

// A is the input; B holds K x N low-bit weights, packed into bytes in any layout.
void read_packed_matmul(NodeCall& call) {
  Shape result = call.shape(0);
  const std::int64_t inner = call.attribute("K", std::int64_t{0});
  const std::int64_t columns = call.attribute("N", std::int64_t{0});
  if (result.empty() || inner < 1 || columns < 1 || result.back() != inner) {
    throw Refusal(fmt::format("multiplies an input by {} x {} packed weights, which do not fit", inner, columns));
  }
  if (const std::int64_t bits = call.attribute("bits", std::int64_t{4}); bits < 1 || bits > 8) {
    throw Refusal(fmt::format("has weights of {} bits: expected 1 to 8", bits));
  }
  result.back() = columns;
  elements_of(result);
  if (!call.is_active(0)) return call.give_constant(0, result, {}, true);
  const DraftId input = call.laid_out(0, result.size() - 1);
  const Tensor in = channels_last(call.shape(0), result.size() - 1);
  Operator op;
  op.kind = OperatorKind::linear;
  op.role = "linear";
  op.output = in;
  op.output.shape.back() = columns;
  op.product = checked_product(1, in.elements() / inner, inner, columns);
  op.shares_weights = call.take_parameters(1, true) == 0;
  op.weights = op.shares_weights ? 0 : elements_of({inner, columns});
  op.weight_bits = call.quantized_bits(1);
  op.parameters = op.weights + (call.has(5) ? call.take_parameters(5, true) : 0);
  call.give(0, call.add(std::move(op), {input}), result, result.size() - 1);
}

void read_gemm(NodeCall& call) {
  const Shape& a = call.shape(0);
  const Shape& b = call.shape(1);
  if (a.size() != 2 || b.size() != 2) throw Refusal("needs two matrices");
  const std::size_t inner_of_a = call.attribute("transA", 0) != 0 ? 0 : 1;
  const std::size_t inner_of_b = call.attribute("transB", 0) != 0 ? 1 : 0;
  const std::int64_t rows = a[1 - inner_of_a];
  const std::int64_t inner = a[inner_of_a];
  const std::int64_t columns = b[1 - inner_of_b];
  if (b[inner_of_b] != inner) {
    throw Refusal(fmt::format("multiplies matrices of {} x {} and {} x {}", rows, inner, b[inner_of_b], columns));
  }
  const Shape result{rows, columns};
  if (!call.any_active()) return call.give_constant(0, result, {}, true);
  if (call.is_active(0) && !call.is_active(1)) {
    const DraftId input = call.laid_out(0, inner_of_a);
    Operator op = make_linear(call, channels_last(a, inner_of_a), columns, 1);
    if (call.has(2) && !call.is_active(2)) op.parameters += call.take_parameters(2, true);
    DraftId sum = call.add(std::move(op), {input});
    if (call.is_active(2)) {
      sum = call.add(OperatorKind::add, "add", channels_last(result, 1), {sum, call.expanded(2, result, 1)});
    }
    return call.give(0, sum, result, 1);
  }
  give_matmul(call, checked_product(1, rows, inner, columns), result);
}

namespace {

/// Einsum equation such as "bij,bjk->bik": letters of two factors and of their product.
struct Equation {
  std::string left;
  std::string right;
  std::string result;
};

Equation read_equation(const std::string& text) {
  std::string plain = text;
  plain.erase(std::remove(plain.begin(), plain.end(), ' '), plain.end());
  const std::size_t comma = plain.find(',');
  const std::size_t arrow = plain.find("->");
  const bool is_product = comma != std::string::npos && arrow != std::string::npos && comma < arrow &&
                          plain.find(',', comma + 1) == std::string::npos && plain.find('.') == std::string::npos;
  Equation equation;
  if (is_product) {
    equation = {plain.substr(0, comma), plain.substr(comma + 1, arrow - comma - 1), plain.substr(arrow + 2)};
  }
  const auto repeats = [](std::string letters) {
    std::sort(letters.begin(), letters.end());
    return std::adjacent_find(letters.begin(), letters.end()) != letters.end();
  };
  if (!is_product || repeats(equation.left) || repeats(equation.right) || repeats(equation.result)) {
    throw Refusal(fmt::format("has the equation '{}', which does not multiply two tensors", text));
  }
  return equation;
}

bool has_letter(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

/// GEMM that is equivalent to an equation.
MatrixProduct product_of(const Equation& equation, std::map<char, std::int64_t>& extents) {
  std::array<std::int64_t, 4> counts{1, 1, 1, 1};  // batch, rows, inner, columns
  for (const auto& [letter, extent] : extents) {
    const bool left = has_letter(equation.left, letter);
    const bool right = has_letter(equation.right, letter);
    const bool kept = has_letter(equation.result, letter);
    if (!kept && !(left && right)) throw Refusal("sums over a dimension of only one factor");
    counts[left && right ? (kept ? 0U : 2U) : left ? 1U : 3U] *= extent;
  }
  return checked_product(counts[0], counts[1], counts[2], counts[3]);
}

}  // namespace

void read_einsum(NodeCall& call) {
  const Equation equation = read_equation(call.attribute("equation", std::string()));
  std::map<char, std::int64_t> extents;
  for (const std::size_t input : {std::size_t{0}, std::size_t{1}}) {
    const std::string& letters = input == 0 ? equation.left : equation.right;
    if (letters.size() != call.shape(input).size()) throw Refusal("has an equation that does not match its inputs");
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const auto [known, added] = extents.emplace(letters[i], call.shape(input)[i]);
      if (!added && known->second != call.shape(input)[i]) throw Refusal("joins dimensions of different extents");
    }
  }
  Shape result;
  for (const char letter : equation.result) {
    if (extents.count(letter) == 0) throw Refusal("has a result with a dimension that no factor has");
    result.push_back(extents[letter]);
  }
  elements_of(result);
  if (!call.any_active()) return call.give_constant(0, result, {}, true);
  const MatrixProduct product = product_of(equation, extents);
  if (product.batch != 1 || call.is_active(0) == call.is_active(1)) return give_matmul(call, product, result);
  const std::size_t x = call.is_active(0) ? 0 : 1;
  const std::int64_t rows = x == 0 ? product.rows : product.columns;
  const std::int64_t columns = x == 0 ? product.columns : product.rows;
  const DraftId input = call.view(call.draft(x), {{rows, product.inner}}, "transpose");
  Operator op = make_linear(call, {{rows, product.inner}}, columns, 1 - x);
  call.give(0, call.add(std::move(op), {input}), result, result.empty() ? 0 : result.size() - 1);
}

}  // namespace pimsweep::workload::import
