#include "workload/operator_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <iterator>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace pimsweep::workload {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Operator, Tensor>;

}  // namespace

struct OperatorGraph::Data {
  Graph graph;
};

OperatorGraph::OperatorGraph() : data_(std::make_unique<Data>()) {}
OperatorGraph::~OperatorGraph() = default;
OperatorGraph::OperatorGraph(OperatorGraph&&) noexcept = default;
OperatorGraph& OperatorGraph::operator=(OperatorGraph&&) noexcept = default;

void OperatorGraph::reserve(std::size_t operators) { data_->graph.m_vertices.reserve(operators); }

OperatorId OperatorGraph::add(Operator node, std::span<const OperatorId> inputs) {
  const OperatorId id = boost::add_vertex(data_->graph);
  data_->graph[id] = std::move(node);
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

template <typename CountOf>
std::int64_t total(const Graph& graph, CountOf count_of) {
  Count sum = 0;
  for (const auto id : boost::make_iterator_range(boost::vertices(graph))) sum += count_of(graph[id]);
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
    const std::string wrong = operator_defect(node, inputs(id));
    if (!wrong.empty()) found.push_back(fmt::format("{} '{}' {}", name_of(node.kind), node.name, wrong));
  }
  return found;
}

}  // namespace pimsweep::workload
