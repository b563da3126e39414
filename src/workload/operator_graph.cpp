#include "workload/operator_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace pimsweep::workload {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Operator, Tensor>;

/// The extents before the last one, multiplied: how many vectors of channels a tensor holds.
std::int64_t vectors(const Tensor& tensor) {
  return tensor.shape.empty() ? 0 : tensor.elements() / std::max<std::int64_t>(tensor.shape.back(), 1);
}

std::string linear_defect(const Operator& node, const Tensor& in) {
  const MatrixProduct& product = node.product;
  if (in.shape.empty() || node.output.shape.empty()) return "needs tensors with channels";
  if (product.batch * product.rows != vectors(in) || product.inner != in.shape.back()) {
    return fmt::format("multiplies {} x {} but reads {}", product.batch * product.rows, product.inner,
                       fmt::join(in.shape, " x "));
  }
  if (vectors(node.output) != vectors(in) || node.output.shape.back() != product.columns) {
    return "has an output of another shape than its product";
  }
  const std::int64_t weights = node.shares_weights ? 0 : product.inner * product.columns;
  return node.weights == weights ? "" : "holds another number of weights than inner x columns";
}

std::string matmul_defect(const Operator& node, const Tensor& left, const Tensor& right) {
  const MatrixProduct& product = node.product;
  if (left.elements() != product.batch * product.rows * product.inner) return "has a left factor of another size";
  if (right.elements() != product.batch * product.inner * product.columns) return "has a right factor of another size";
  if (node.output.elements() != product.batch * product.rows * product.columns) return "has an output of another size";
  return "";
}

/// What is wrong with the map that a window gives from `in`; empty for a good one.
std::string window_defect(const ConvolutionWindow& window, const Tensor& in, const Tensor& out) {
  if (in.shape.size() < 3 || out.shape.size() != in.shape.size()) return "needs feature maps as input and output";
  return map_of(out) == window.output(map_of(in))
             ? ""
             : "has an output map of another size than kernel, stride and padding give";
}

/// A convolution that reads `in` and writes `out`, by the product `expected`.
std::string convolution_defect(const Operator& node, const Tensor& in, const Tensor& out,
                               const MatrixProduct& expected) {
  if (std::string wrong = window_defect(node.window, in, out); !wrong.empty()) return wrong;
  const std::int64_t groups = node.window.groups;
  if (in.shape.back() % groups != 0 || out.shape.back() % groups != 0) {
    return "has channels that its groups do not divide";
  }
  if (node.product != expected) return "has a product that does not match its shapes";
  return node.weights == expected.batch * expected.inner * expected.columns ? "" : "holds a wrong number of weights";
}

std::string convolution_defect(const Operator& node, const Tensor& in) {
  const std::int64_t groups = node.window.groups;
  const std::int64_t area = node.window.kernel.area();
  const Tensor& out = node.output;
  if (node.kind == OperatorKind::transposed_convolution) {
    return convolution_defect(node, out, in,
                              {groups, vectors(in), in.shape.back() / groups, area * (out.shape.back() / groups)});
  }
  return convolution_defect(node, in, out,
                            {groups, vectors(out), area * (in.shape.back() / groups), out.shape.back() / groups});
}

std::string pool_defect(const Operator& node, const Tensor& in) {
  std::string wrong = window_defect(node.window, in, node.output);
  if (!wrong.empty()) return wrong;
  return in.shape.back() == node.output.shape.back() ? "" : "has other channels than its input";
}

std::string multiply_defect(const Operator& node, const Tensor& in, const Tensor& factors) {
  if (in != node.output) return "has an output of another shape than its input";
  const bool fits = factors == in || factors.elements() == in.shape.back();
  return fits ? "" : "has factors that are neither one for each element nor one for each channel";
}

std::string size_defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const std::int64_t out = node.output.elements();
  const std::int64_t in = inputs.front().elements();
  switch (node.kind) {
    case OperatorKind::concat: {
      std::int64_t total = node.parameters;
      for (const Tensor& tensor : inputs) total += tensor.elements();
      return total == out ? "" : "does not hold exactly its inputs";
    }
    case OperatorKind::global_pool:
      return out == node.output.shape.back() && out == inputs.front().shape.back()
                 ? ""
                 : "does not hold one value for each channel of its input";
    case OperatorKind::slice:
    case OperatorKind::crop:
      return out <= in ? "" : "has more elements than its input";
    case OperatorKind::pad:
      return out >= in ? "" : "has fewer elements than its input";
    case OperatorKind::embedding:
      return out == in * node.output.shape.back() && node.parameters % node.output.shape.back() == 0
                 ? ""
                 : "does not look up one row of its table for each input";
    case OperatorKind::reshape:
      return out == in ? "" : "has another number of elements than its input";
    default:
      return "";
  }
}

/// How many inputs a kind takes, least and most.
std::pair<std::size_t, std::size_t> arity(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::input:
      return {0, 0};
    case OperatorKind::matmul:
    case OperatorKind::multiply:
      return {2, 2};
    case OperatorKind::add:
    case OperatorKind::concat:
      return {1, static_cast<std::size_t>(-1)};
    default:
      return {1, 1};
  }
}

std::string defect(const Operator& node, const std::vector<Tensor>& inputs) {
  const auto [least, most] = arity(node.kind);
  if (inputs.size() < least || inputs.size() > most) {
    return fmt::format("has {} inputs, which its kind does not take", inputs.size());
  }
  if (std::any_of(node.output.shape.begin(), node.output.shape.end(), [](std::int64_t extent) { return extent < 1; })) {
    return "has an output with an extent below 1";
  }
  switch (node.kind) {
    case OperatorKind::input:
      return "";
    case OperatorKind::linear:
      return linear_defect(node, inputs[0]);
    case OperatorKind::matmul:
      return matmul_defect(node, inputs[0], inputs[1]);
    case OperatorKind::convolution:
    case OperatorKind::transposed_convolution:
      return convolution_defect(node, inputs[0]);
    case OperatorKind::max_pool:
    case OperatorKind::average_pool:
      return pool_defect(node, inputs[0]);
    case OperatorKind::multiply:
      return multiply_defect(node, inputs[0], inputs[1]);
    case OperatorKind::layer_norm:
    case OperatorKind::batch_norm:
    case OperatorKind::response_norm:
    case OperatorKind::softmax:
    case OperatorKind::activation:
    case OperatorKind::add:
    case OperatorKind::roll: {
      const bool same = std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& in) { return in == node.output; });
      return same ? "" : "has an output of another shape than its input";
    }
    default:
      return size_defect(node, inputs);
  }
}

}  // namespace

struct OperatorGraph::Data {
  Graph graph;
};

std::int64_t Tensor::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Extent map_of(const Tensor& tensor) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  return {shape[shape.size() - 3], shape[shape.size() - 2]};
}

std::string_view name_of(OperatorKind kind) {
  static constexpr std::array<std::string_view, 23> kNames{
      "input",      "embedding",  "linear",        "matmul",      "convolution", "transposed_convolution",
      "layer_norm", "batch_norm", "response_norm", "softmax",     "activation",  "add",
      "multiply",   "max_pool",   "average_pool",  "global_pool", "concat",      "slice",
      "reshape",    "pad",        "crop",          "gather",      "roll"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Extent ConvolutionWindow::output(const Extent& input) const {
  const auto along = [&](std::int64_t length, std::int64_t pad, std::int64_t side) {
    const std::int64_t room = length + 2 * pad - side;
    return room < 0 ? 0 : room / stride + 1;
  };
  return {along(input.height, padding.height, kernel.height), along(input.width, padding.width, kernel.width)};
}

OperatorGraph::OperatorGraph() : data_(std::make_unique<Data>()) {}
OperatorGraph::~OperatorGraph() = default;
OperatorGraph::OperatorGraph(OperatorGraph&&) noexcept = default;
OperatorGraph& OperatorGraph::operator=(OperatorGraph&&) noexcept = default;

OperatorId OperatorGraph::add(const Operator& node, std::span<const OperatorId> inputs) {
  const OperatorId id = boost::add_vertex(node, data_->graph);
  for (const OperatorId source : inputs) connect(source, id);
  return id;
}

void OperatorGraph::connect(OperatorId source, OperatorId target) {
  if (source >= size() || target >= size()) throw std::logic_error("an edge needs two operators of the graph");
  boost::add_edge(source, target, at(source).output, data_->graph);
}

std::size_t OperatorGraph::size() const { return boost::num_vertices(data_->graph); }

const Operator& OperatorGraph::at(OperatorId id) const {
  if (id >= size()) throw std::out_of_range("no such operator in the graph");
  return data_->graph[id];
}

std::vector<OperatorId> OperatorGraph::topological_order() const {
  std::vector<OperatorId> order;
  order.reserve(size());
  try {
    boost::topological_sort(data_->graph, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw std::logic_error("the operator graph has a cycle");
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<OperatorId> OperatorGraph::predecessors(OperatorId id) const {
  std::vector<OperatorId> ids;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, data_->graph))) {
    ids.push_back(boost::source(edge, data_->graph));
  }
  return ids;
}

std::vector<OperatorId> OperatorGraph::successors(OperatorId id) const {
  std::vector<OperatorId> ids;
  for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, data_->graph))) {
    ids.push_back(boost::target(edge, data_->graph));
  }
  return ids;
}

std::vector<Tensor> OperatorGraph::inputs(OperatorId id) const {
  std::vector<Tensor> tensors;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, data_->graph))) {
    tensors.push_back(data_->graph[edge]);
  }
  return tensors;
}

namespace {

template <typename Count>
std::int64_t total(const Graph& graph, Count count) {
  std::int64_t sum = 0;
  for (const auto id : boost::make_iterator_range(boost::vertices(graph))) sum += count(graph[id]);
  return sum;
}

}  // namespace

std::int64_t OperatorGraph::parameters() const {
  return total(data_->graph, [](const Operator& node) { return node.parameters; });
}

std::int64_t OperatorGraph::weights() const {
  return total(data_->graph, [](const Operator& node) { return node.weights; });
}

std::int64_t OperatorGraph::macs() const {
  return total(data_->graph, [](const Operator& node) { return node.macs(); });
}

std::int64_t OperatorGraph::activations() const {
  return total(data_->graph, [](const Operator& node) { return node.output.elements(); });
}

std::vector<std::string> OperatorGraph::defects() const {
  std::vector<std::string> found;
  try {
    topological_order();
  } catch (const std::logic_error& error) {
    found.emplace_back(error.what());
  }
  std::unordered_set<std::string_view> names;
  for (OperatorId id = 0; id < size(); ++id) {
    const Operator& node = at(id);
    if (!names.insert(node.name).second) found.push_back(fmt::format("two operators are called '{}'", node.name));
    const std::string wrong = defect(node, inputs(id));
    if (!wrong.empty()) found.push_back(fmt::format("{} '{}' {}", name_of(node.kind), node.name, wrong));
  }
  return found;
}

}  // namespace pimsweep::workload
