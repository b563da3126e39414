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
  return node.weights == product.inner * product.columns ? "" : "holds another number of weights than inner x columns";
}

std::string matmul_defect(const Operator& node, const Tensor& left, const Tensor& right) {
  const MatrixProduct& product = node.product;
  if (left.elements() != product.batch * product.rows * product.inner) return "has a left factor of another size";
  if (right.elements() != product.batch * product.inner * product.columns) return "has a right factor of another size";
  if (node.output.elements() != product.batch * product.rows * product.columns) return "has an output of another size";
  return "";
}

std::string convolution_defect(const Operator& node, const Tensor& in) {
  const ConvolutionWindow& window = node.window;
  const std::vector<std::int64_t>& out = node.output.shape;
  if (in.shape.size() < 3 || out.size() != in.shape.size()) return "needs feature maps as input and output";
  const std::size_t width = in.shape.size() - 2;
  const std::int64_t channels = in.shape.back();
  if (channels % window.groups != 0 || out.back() % window.groups != 0)
    return "has channels that its groups do not divide";
  if (out[width - 1] != window.output(in.shape[width - 1]) || out[width] != window.output(in.shape[width])) {
    return "has an output map of another size than kernel, stride and padding give";
  }
  const MatrixProduct& product = node.product;
  const std::int64_t area = window.kernel * window.kernel;
  if (product.batch != window.groups || product.rows != vectors(node.output) ||
      product.inner != area * (channels / window.groups) || product.columns != out.back() / window.groups) {
    return "has a product that does not match its shapes";
  }
  return node.weights == product.batch * product.inner * product.columns ? "" : "holds a wrong number of weights";
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
    case OperatorKind::pool:
    case OperatorKind::slice:
    case OperatorKind::crop:
      return out <= in ? "" : "has more elements than its input";
    case OperatorKind::pad:
      return out >= in ? "" : "has fewer elements than its input";
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
      return convolution_defect(node, inputs[0]);
    case OperatorKind::layer_norm:
    case OperatorKind::softmax:
    case OperatorKind::gelu:
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

std::string_view name_of(OperatorKind kind) {
  static constexpr std::array<std::string_view, 16> kNames{
      "input", "linear", "matmul", "convolution", "layer_norm", "softmax", "gelu",   "add",
      "pool",  "concat", "slice",  "reshape",     "pad",        "crop",    "gather", "roll"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::int64_t ConvolutionWindow::output(std::int64_t input) const {
  const std::int64_t room = input + 2 * padding - kernel;
  return room < 0 ? 0 : room / stride + 1;
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
