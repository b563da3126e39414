#include "workload/graph_builder.h"

#include <fmt/format.h>

#include <utility>

namespace pimsweep::workload {

namespace {

Operator make(OperatorKind kind, Tensor output) {
  Operator node;
  node.kind = kind;
  node.output = std::move(output);
  return node;
}

}  // namespace

void GraphBuilder::enter(std::int64_t stage, std::int64_t block) {
  stage_ = stage;
  block_ = block;
  prefix_ = stage == 0   ? ""
            : block == 0 ? fmt::format("stage{}.", stage)
                         : fmt::format("stage{}.block{}.", stage, block);
}

OperatorId GraphBuilder::place(Operator node, const std::vector<OperatorId>& inputs, std::string_view role) {
  node.role = role;
  node.stage = stage_;
  node.block = block_;
  node.name = prefix_ + node.role;
  const int use = ++uses_[node.name];
  if (use > 1) node.name += fmt::format(".{}", use);
  return graph_.add(node, inputs);
}

OperatorId GraphBuilder::input(std::vector<std::int64_t> shape, std::string_view role) {
  return place(make(OperatorKind::input, {std::move(shape)}), {}, role);
}

OperatorId GraphBuilder::linear(OperatorId x, std::int64_t outputs, std::string_view role, bool bias) {
  const Tensor& in = output(x);
  const std::int64_t inner = in.shape.back();
  Operator node = make(OperatorKind::linear, in);
  node.output.shape.back() = outputs;
  node.product = {1, in.elements() / inner, inner, outputs};
  node.weights = inner * outputs;
  node.parameters = node.weights + (bias ? outputs : 0);
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                                     std::string_view role) {
  Operator node = make(OperatorKind::convolution, output(x));
  std::vector<std::int64_t>& shape = node.output.shape;
  const std::size_t width = shape.size() - 2;
  const std::int64_t group_inputs = shape.back() / window.groups;
  shape[width - 1] = window.output(shape[width - 1]);
  shape[width] = window.output(shape[width]);
  shape.back() = outputs;
  node.window = window;
  node.product = {window.groups, node.output.elements() / outputs, window.kernel * window.kernel * group_inputs,
                  outputs / window.groups};
  node.weights = node.product.inner * outputs;
  node.parameters = node.weights + outputs;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::layer_norm(OperatorId x, std::string_view role) {
  Operator node = make(OperatorKind::layer_norm, output(x));
  node.parameters = 2 * node.output.shape.back();
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::softmax(OperatorId x) { return place(make(OperatorKind::softmax, output(x)), {x}, "softmax"); }

OperatorId GraphBuilder::gelu(OperatorId x) { return place(make(OperatorKind::gelu, output(x)), {x}, "activation"); }

OperatorId GraphBuilder::add(OperatorId a, OperatorId b, std::string_view role) {
  return place(make(OperatorKind::add, output(a)), {a, b}, role);
}

OperatorId GraphBuilder::add_learned(OperatorId x, std::int64_t parameters, std::string_view role) {
  Operator node = make(OperatorKind::add, output(x));
  node.parameters = parameters;
  return place(std::move(node), {x}, role);
}

OperatorId GraphBuilder::mean_tokens(OperatorId x) {
  return place(make(OperatorKind::pool, {{1, output(x).shape.back()}}), {x}, "mean");
}

OperatorId GraphBuilder::concat(const std::vector<OperatorId>& inputs, std::vector<std::int64_t> shape,
                                std::string_view role, std::int64_t learned) {
  Operator node = make(OperatorKind::concat, {std::move(shape)});
  node.parameters = learned;
  return place(std::move(node), inputs, role);
}

OperatorId GraphBuilder::roll(OperatorId x) { return place(make(OperatorKind::roll, output(x)), {x}, "shift"); }

OperatorId GraphBuilder::move(OperatorKind kind, OperatorId x, std::vector<std::int64_t> shape, std::string_view role) {
  return place(make(kind, {std::move(shape)}), {x}, role);
}

OperatorId GraphBuilder::scores(OperatorId q, OperatorId k, std::int64_t heads) {
  const std::vector<std::int64_t>& queries = output(q).shape;
  const std::int64_t channels = queries.back();
  const std::int64_t tokens = queries[queries.size() - 2];
  const std::int64_t keys = output(k).shape[output(k).shape.size() - 2];
  const std::int64_t groups = output(q).elements() / (tokens * channels);
  Operator node = make(OperatorKind::matmul, {{groups * heads, tokens, keys}});
  node.product = {groups * heads, tokens, channels / heads, keys};
  return place(std::move(node), {q, k}, "scores");
}

OperatorId GraphBuilder::context(OperatorId p, OperatorId v, std::int64_t heads, std::vector<std::int64_t> shape) {
  const std::vector<std::int64_t>& probabilities = output(p).shape;
  const std::int64_t head_channels = shape.back() / heads;
  Operator node = make(OperatorKind::matmul, {std::move(shape)});
  node.product = {probabilities[0], probabilities[1], probabilities[2], head_channels};
  return place(std::move(node), {p, v}, "context");
}

}  // namespace pimsweep::workload
