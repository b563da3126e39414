#include "workload/training_network.h"

#include <algorithm>
#include <optional>

namespace pimsweep::workload {

namespace {

std::int64_t positions(const Tensor& tensor) {
  const std::int64_t channels = tensor.shape.empty() ? 1 : tensor.shape.back();
  return tensor.elements() / std::max<std::int64_t>(1, channels);
}

std::int64_t extent(const Tensor& tensor, std::size_t from_last) {
  return tensor.shape.size() > from_last ? tensor.shape[tensor.shape.size() - 1 - from_last] : 1;
}

class Reduction {
 public:
  explicit Reduction(const OperatorGraph& graph) : graph_(graph), holder_(graph.size()) {}

  TrainingNetwork run() {
    for (const OperatorId id : graph_.topological_order()) visit(id);
    return std::move(network_);
  }

 private:
  /// The node that holds the tensor of an operator; none if the tensor depends only on the input.
  using Holder = std::optional<std::size_t>;

  void visit(OperatorId id) {
    const Operator& node = graph_.at(id);
    const std::vector<OperatorId> sources = graph_.predecessors(id);
    if (node.weights > 0 && sources.size() == 1) {
      holder_[id] = add_layer(node, sources[0]);
    } else if (held(sources) > 1) {
      holder_[id] = add_junction(node, sources);
    } else {
      for (const OperatorId source : sources) {
        if (holder_[source]) holder_[id] = holder_[source];
      }
      if (holder_[id] && network_.nodes[*holder_[id]].is_layer()) {
        network_.nodes[*holder_[id]].output = node.output.elements();
      }
    }
    fork(id, node);
  }

  std::size_t held(const std::vector<OperatorId>& sources) const {
    return static_cast<std::size_t>(
        std::count_if(sources.begin(), sources.end(), [&](OperatorId id) { return holder_[id].has_value(); }));
  }

  std::size_t add_layer(const Operator& node, OperatorId source) {
    const Tensor& input = graph_.at(source).output;
    TrainingNode layer;
    layer.name = node.name;
    const bool transposed = node.kind == OperatorKind::transposed_convolution;
    const bool convolves = transposed || node.kind == OperatorKind::convolution;
    layer.kind = convolves ? TrainingNode::Kind::convolution : TrainingNode::Kind::fully_connected;
    layer.weights = node.weights;
    layer.macs = node.macs();
    layer.macs_at_input_size = convolves ? std::int64_t{Count{node.weights} * positions(input)} : node.macs();
    layer.input = input.elements();
    layer.product_output = node.output.elements();
    layer.output = layer.product_output;
    layer.input_channels = extent(input, 0);
    layer.output_channels = extent(node.output, 0);
    // The positions of a transposed convolution are those of its input.
    const Tensor& map = transposed ? input : node.output;
    layer.product_height = positions(map);
    if (convolves) {
      layer.window = node.window;
      layer.product_width = extent(map, 1);
      layer.product_height /= layer.product_width;
    }
    network_.nodes.push_back(std::move(layer));
    connect(source);
    return network_.nodes.size() - 1;
  }

  std::size_t add_junction(const Operator& node, const std::vector<OperatorId>& sources) {
    TrainingNode junction;
    junction.name = node.name;
    junction.output = junction.product_output = junction.input = node.output.elements();
    junction.activation_macs = node.weights == 0 ? node.macs() : 0;
    if (junction.activation_macs > 0) {
      Count elements = junction.output;
      for (const OperatorId source : sources) elements += graph_.at(source).output.elements();
      junction.activation_elements = elements;
    }
    network_.nodes.push_back(std::move(junction));
    for (const OperatorId source : sources) connect(source);
    return network_.nodes.size() - 1;
  }

  /// From here on, a junction holds the tensor of a layer that several operators read.
  void fork(OperatorId id, const Operator& node) {
    if (!holder_[id] || !network_.nodes[*holder_[id]].is_layer() || graph_.successors(id).size() < 2) return;
    const std::size_t junction = add_junction(node, {id});
    network_.nodes[junction].name += ".fork";
    holder_[id] = junction;
  }

  /// Passes the tensor of `source` to the newest node. A tensor that the node reads twice (a square) is passed once.
  void connect(OperatorId source) {
    if (!holder_[source]) return;
    const Transition transition{*holder_[source], network_.nodes.size() - 1, graph_.at(source).output.elements()};
    const auto same =
        std::find_if(network_.transitions.rbegin(), network_.transitions.rend(),
                     [&](const Transition& t) { return t.from == transition.from && t.to == transition.to; });
    if (same == network_.transitions.rend()) {
      network_.transitions.push_back(transition);
    } else {
      same->elements = std::max(same->elements, transition.elements);
    }
  }

  const OperatorGraph& graph_;
  std::vector<Holder> holder_;
  TrainingNetwork network_;
};

}  // namespace

std::int64_t TrainingNetwork::weights() const {
  Count sum = 0;
  for (const TrainingNode& node : nodes) sum += node.weights;
  return sum;
}

std::size_t TrainingNetwork::layers() const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const TrainingNode& node) { return node.is_layer(); }));
}

bool TrainingNetwork::is_chain() const {
  if (transitions.size() + 1 != nodes.size()) return nodes.empty();
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    if (transitions[i].from != i || transitions[i].to != i + 1) return false;
  }
  return true;
}

TrainingNetwork training_network(const OperatorGraph& graph) { return Reduction(graph).run(); }

}  // namespace pimsweep::workload
