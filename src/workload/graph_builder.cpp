#include "workload/graph_builder.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace pimsweep::workload {

namespace {

/// Adds to a count that must fit into a 64-bit integer.
void count(double& total, double more) {
  constexpr double max_count = 4e18;
  total += more;
  if (total > max_count) throw OverflowError("the graph has more to count than 64-bit integers hold");
}

Operator make(OperatorKind kind, Tensor output) {
  Operator node;
  node.kind = kind;
  node.output = std::move(output);
  return node;
}

/// Gives a feature map {..., height, width, channels} another size.
void resize(Tensor& tensor, const Extent& map, std::int64_t channels) {
  const std::size_t width = tensor.shape.size() - 2;
  tensor.shape[width - 1] = map.height;
  tensor.shape[width] = map.width;
  tensor.shape.back() = channels;
}

}  // namespace

void GraphBuilder::enter(std::int64_t stage, std::int64_t block) {
  enter(stage, block,
        stage == 0   ? ""
        : block == 0 ? fmt::format("stage{}.", stage)
                     : fmt::format("stage{}.block{}.", stage, block));
}

void GraphBuilder::enter(std::int64_t stage, std::int64_t block, std::string prefix) {
  stage_ = stage;
  block_ = block;
  prefix_ = std::move(prefix);
}

std::string GraphBuilder::unique(std::string name) {
  int& uses = uses_[name];
  if (++uses == 1) return name;
  std::string numbered = fmt::format("{}.{}", name, uses);
  while (!uses_.emplace(numbered, 1).second) numbered = fmt::format("{}.{}", name, ++uses);
  return numbered;
}

OperatorId GraphBuilder::place(Operator node, const std::vector<OperatorId>& inputs, std::string_view role) {
  node.role = role;
  node.stage = stage_;
  node.block = block_;
  node.name = unique(name_.empty() ? prefix_ + node.role : std::exchange(name_, ""));
  count(elements_, static_cast<double>(node.output.elements()));
  return graph_.add(node, inputs);
}

MatrixProduct GraphBuilder::product(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  count(macs_, static_cast<double>(batch) * static_cast<double>(rows) * static_cast<double>(inner) *
                   static_cast<double>(columns));
  return {batch, rows, inner, columns};
}

Operator GraphBuilder::linear_product(OperatorId x, std::int64_t outputs) {
  const Tensor& in = output(x);
  const std::int64_t inner = in.shape.back();
  Operator node = make(OperatorKind::linear, in);
  node.output.shape.back() = outputs;
  node.product = product(1, in.elements() / inner, inner, outputs);
  node.weight_bits = weight_bits_;
  return node;
}

OperatorId GraphBuilder::input(std::vector<std::int64_t> shape, std::string_view role) {
  return place(make(OperatorKind::input, {std::move(shape)}), {}, role);
}

OperatorId GraphBuilder::embedding(OperatorId x, std::int64_t entries, std::int64_t channels, std::string_view role) {
  Operator node = make(OperatorKind::embedding, output(x));
  node.output.shape.back() = channels;
  node.parameters = Count{entries} * channels;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::linear_again(OperatorId x, OperatorId earlier, std::string_view role) {
  Operator node = make(OperatorKind::linear, output(earlier));
  const MatrixProduct& first = graph_.at(earlier).product;
  node.product = product(first.batch, first.rows, first.inner, first.columns);
  node.shares_weights = true;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::linear(OperatorId x, std::int64_t outputs, std::string_view role, bool bias) {
  Operator node = linear_product(x, outputs);
  node.weights = Count{node.product.inner} * outputs;
  node.parameters = node.weights + (bias ? outputs : 0);
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::chosen_linear(OperatorId x, std::int64_t outputs, std::int64_t idle, std::string_view role,
                                       std::int64_t biases) {
  Operator node = linear_product(x, outputs);
  node.weights = Count{node.product.inner} * outputs;
  node.idle = idle;
  node.parameters = Count{node.weights} + biases + idle;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::linear_by_table(OperatorId x, OperatorId table, std::string_view role) {
  Operator node = linear_product(x, graph_.at(table).parameters / output(x).shape.back());
  node.shares_weights = true;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                                     std::string_view role, bool bias) {
  const std::int64_t inputs = output(x).shape.back() / window.groups;
  Operator node = make(OperatorKind::convolution, output(x));
  resize(node.output, window.output(map_of(node.output)), outputs);
  node.window = window;
  node.product = product(window.groups, node.output.elements() / outputs, Count{window.kernel.area()} * inputs,
                         outputs / window.groups);
  node.weights = Count{node.product.inner} * outputs;
  node.parameters = node.weights + (bias ? outputs : 0);
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::transposed_convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                                                const Extent& map, std::string_view role, bool bias) {
  const std::int64_t inputs = output(x).shape.back();
  Operator node = make(OperatorKind::transposed_convolution, output(x));
  node.window = window;
  node.product = product(window.groups, node.output.elements() / inputs, inputs / window.groups,
                         Count{window.kernel.area()} * (outputs / window.groups));
  resize(node.output, map, outputs);
  node.weights = Count{node.product.batch} * node.product.inner * node.product.columns;
  node.parameters = node.weights + (bias ? outputs : 0);
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::layer_norm(OperatorId x, std::string_view role) {
  return layer_norm(x, role, Count{2} * output(x).shape.back());
}

OperatorId GraphBuilder::layer_norm(OperatorId x, std::string_view role, std::int64_t parameters) {
  return normalize(OperatorKind::layer_norm, x, role, parameters);
}

OperatorId GraphBuilder::batch_norm(OperatorId x, std::string_view role) {
  return normalize(OperatorKind::batch_norm, x, role, Count{2} * output(x).shape.back());
}

OperatorId GraphBuilder::rms_norm(OperatorId x, std::string_view name) {
  Operator node = make(OperatorKind::layer_norm, output(x));
  node.parameters = node.output.shape.back();
  call_next(prefix_ + std::string(name));
  return place(std::move(node), {x}, "rms_norm");
}

OperatorId GraphBuilder::normalize(OperatorKind kind, OperatorId x, std::string_view role, std::int64_t parameters) {
  Operator node = make(kind, output(x));
  node.parameters = parameters;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::same_shape(OperatorKind kind, OperatorId x, std::string_view role) {
  return place(make(kind, output(x)), {x}, role);
}

OperatorId GraphBuilder::pool(OperatorKind kind, OperatorId x, const ConvolutionWindow& window, std::string_view role) {
  Operator node = make(kind, output(x));
  resize(node.output, window.output(map_of(node.output)), node.output.shape.back());
  node.window = window;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::add(OperatorId a, OperatorId b, std::string_view role) {
  return place(make(OperatorKind::add, output(a)), {a, b}, role);
}

OperatorId GraphBuilder::add_learned(OperatorId x, std::int64_t parameters, std::string_view role) {
  Operator node = make(OperatorKind::add, output(x));
  node.parameters = parameters;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::multiply(OperatorId x, OperatorId factors, std::string_view role) {
  return place(make(OperatorKind::multiply, output(x)), {x, factors}, role);
}

OperatorId GraphBuilder::global_pool(OperatorId x, std::string_view role) {
  return place(make(OperatorKind::global_pool, {{1, output(x).shape.back()}}), {x}, role);
}

OperatorId GraphBuilder::concat(const std::vector<OperatorId>& inputs, std::vector<std::int64_t> shape,
                                std::string_view role, std::int64_t learned) {
  Operator node = make(OperatorKind::concat, {std::move(shape)});
  node.parameters = learned;
  return place(std::move(node), inputs, role);
}

OperatorId GraphBuilder::join_channels(const std::vector<OperatorId>& inputs, std::string_view role) {
  std::vector<std::int64_t> shape = output(inputs.front()).shape;
  shape.back() = 0;
  for (const OperatorId input : inputs) shape.back() += output(input).shape.back();
  return concat(inputs, std::move(shape), role);
}

OperatorId GraphBuilder::move(OperatorKind kind, OperatorId x, std::vector<std::int64_t> shape, std::string_view role) {
  return place(make(kind, {std::move(shape)}), {x}, role);
}

OperatorId GraphBuilder::matmul(OperatorId left, OperatorId right, std::string_view role) {
  const std::vector<std::int64_t>& rows = output(left).shape;
  const std::int64_t columns = output(right).shape.back();
  Operator node = make(OperatorKind::matmul, {{rows[0], rows[1], columns}});
  node.product = product(rows[0], rows[1], rows[2], columns);
  return place(std::move(node), {left, right}, role);
}

OperatorId GraphBuilder::scores(OperatorId q, OperatorId k, std::int64_t heads, std::int64_t kv_heads) {
  const std::vector<std::int64_t>& queries = output(q).shape;
  const std::int64_t channels = queries.back();
  const std::int64_t tokens = queries[queries.size() - 2];
  const std::int64_t keys = output(k).shape[output(k).shape.size() - 2];
  const std::int64_t groups = output(q).elements() / (tokens * channels);
  Operator node = make(OperatorKind::matmul, {{groups * heads, tokens, keys}});
  node.product = product(groups * kv_heads, heads / kv_heads * tokens, channels / heads, keys);
  return place(std::move(node), {q, k}, "scores");
}

OperatorId GraphBuilder::context(OperatorId p, OperatorId v, std::int64_t heads, std::vector<std::int64_t> shape,
                                 std::int64_t kv_heads) {
  const std::vector<std::int64_t>& probabilities = output(p).shape;
  const std::int64_t sharing = heads / kv_heads;
  const std::int64_t head_channels = shape.back() / heads;
  Operator node = make(OperatorKind::matmul, {std::move(shape)});
  node.product = product(probabilities[0] / sharing, sharing * probabilities[1], probabilities[2], head_channels);
  return place(std::move(node), {p, v}, "context");
}

}  // namespace pimsweep::workload
