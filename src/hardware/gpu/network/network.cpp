#include "hardware/gpu/network/network.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/key_hash.h"

namespace pimsweep::hardware::gpu::network {

namespace {

using workload::Operator;
using workload::OperatorGraph;
using workload::OperatorId;
using workload::OperatorKind;
using workload::Tensor;

struct WorkHash {
  std::size_t operator()(const Node& node) const {
    return combined_hash(node.kind, node.work, node.height, node.inputs, node.outputs, node.elements);
  }
};

void find_repeats(Network& network) {
  std::unordered_map<Node, std::size_t, WorkHash> first;
  for (std::size_t i = 0; i < network.size(); ++i) {
    Node work = network[i];
    work.name.clear();
    work.follows.reset();
    if (const auto [known, is_new] = first.emplace(std::move(work), i); !is_new) network[i].repeats = known->second;
  }
}

class Builder {
 public:
  Builder(const OperatorGraph& graph, std::int64_t batch, ElementwiseMode mode)
      : graph_(graph), batch_(batch), mode_(mode), made_by_(graph.size()) {}

  Network run() {
    for (const OperatorId id : graph_.topological_order()) visit(id);
    find_repeats(network_);
    return std::move(network_);
  }

 private:
  void visit(OperatorId id) {
    const Operator& op = graph_.at(id);
    const std::vector<OperatorId> sources = graph_.predecessors(id);
    if (is_view(op) || is_absorbed(id, op, sources)) return;
    const bool copies = mode_ == ElementwiseMode::eager && op.kind == OperatorKind::matmul;
    if (copies) {
      for (const OperatorId source : sources) {
        // Results of other operators, such as the softmax, already have the right layout.
        if (graph_.at(source).product.macs() > 0) add_copy(op, graph_.at(source).output);
      }
    }
    Node node = make(op, sources);
    node.name = op.name;
    node.macs = Count{op.macs()} * batch_;
    node.follows = sole_maker(sources);
    if (node.follows && network_[*node.follows].merged_elements > 0) node.follows.reset();
    node.gate = op.kind == OperatorKind::linear && leads_to_product(id);
    made_by_[id] = network_.size();
    network_.push_back(std::move(node));
    const bool merges_heads = copies && op.role == "context";
    if (merges_heads) add_copy(op, op.output);
  }

  bool is_view(const Operator& op) const {
    return op.kind == OperatorKind::input || op.kind == OperatorKind::slice ||
           (op.kind == OperatorKind::reshape && mode_ != ElementwiseMode::eager);
  }

  /// Merges the operator into the previous node, where the mode says so.
  bool is_absorbed(OperatorId id, const Operator& op, const std::vector<OperatorId>& sources) {
    switch (op.kind) {
      case OperatorKind::batch_norm: {
        const std::optional<std::size_t> node = sole_maker(sources);
        if (mode_ == ElementwiseMode::eager || !node || network_[*node].kind == NodeKind::other) return false;
        made_by_[id] = node;
        return true;
      }
      case OperatorKind::activation: {
        const std::optional<std::size_t> node = sole_maker(sources);
        if (!node) return false;
        made_by_[id] = node;
        const bool counts = mode_ == ElementwiseMode::counted || mode_ == ElementwiseMode::eager;
        if (counts) network_[*node].activations += elements(op.output);
        return true;
      }
      case OperatorKind::add:
      case OperatorKind::multiply:
        return mode_ == ElementwiseMode::with_bias && merge(id, sources);
      default:
        return false;
    }
  }

  /// Merges a sum or product into the last layer with weights that only it reads, if there is one.
  bool merge(OperatorId id, const std::vector<OperatorId>& sources) {
    std::optional<std::size_t> last;
    double read = 0;
    double read_of_last = 0;
    for (const OperatorId source : sources) {
      const double values = elements(graph_.at(source).output);
      read += values;
      const std::optional<std::size_t> maker = sole_maker({source});
      if (!maker || !network_[*maker].has_weights() || network_[*maker].merged_elements > 0) continue;
      if (last && *maker < *last) continue;
      last = maker;
      read_of_last = values;
    }
    if (!last) return false;
    network_[*last].merged_elements = elements(graph_.at(id).output);
    network_[*last].merged_reads = read - read_of_last;
    made_by_[id] = last;
    return true;
  }

  /// True if the result is a factor of a map: squeeze-and-excitation.
  bool leads_to_product(OperatorId id) const {
    while (graph_.successors(id).size() == 1) {
      id = graph_.successors(id).front();
      const OperatorKind kind = graph_.at(id).kind;
      if (kind == OperatorKind::multiply) return true;
      if (kind != OperatorKind::activation && kind != OperatorKind::linear) return false;
    }
    return false;
  }

  void add_copy(const Operator& op, const Tensor& tensor) {
    Node node;
    node.name = op.name + ".copy";
    node.work = OtherWork::elementwise;
    node.elements = elements(tensor);
    network_.push_back(std::move(node));
  }

  /// The node that produces the only input, if nothing else reads that.
  std::optional<std::size_t> sole_maker(const std::vector<OperatorId>& sources) const {
    if (sources.size() != 1 || graph_.successors(sources.front()).size() != 1) return std::nullopt;
    return made_by_[sources.front()];
  }

  double elements(const Tensor& tensor) const { return static_cast<double>(Count{tensor.elements()} * batch_); }

  Node make(const Operator& op, const std::vector<OperatorId>& sources) const {
    switch (op.kind) {
      case OperatorKind::convolution:
        return convolution(op, graph_.at(sources.front()).output);
      case OperatorKind::linear:
        return fully_connected(op);
      case OperatorKind::matmul: {
        Node node;
        node.work = OtherWork::matmul;
        node.product = op.product;
        node.product.batch = Count{op.product.batch} * batch_;
        return node;
      }
      case OperatorKind::transposed_convolution: {
        // Computed as the input gradient of the convolution that it reverses.
        Node node = map_node(op, op.output, graph_.at(sources.front()).output);
        node.work = OtherWork::transposed_convolution;
        return node;
      }
      case OperatorKind::max_pool:
      case OperatorKind::average_pool: {
        Node node = map_node(op, graph_.at(sources.front()).output, op.output);
        node.work = OtherWork::pooling;
        return node;
      }
      default:
        return elementwise(op, sources);
    }
  }

  /// Window and maps of a sliding-window operator.
  Node map_node(const Operator& op, const Tensor& input, const Tensor& output) const {
    Node node;
    node.images = batch_;
    node.height = workload::map_of(input).height;
    node.width = workload::map_of(input).width;
    node.inputs = input.shape.back();
    node.outputs = output.shape.back();
    node.window = op.window;
    node.out_height = workload::map_of(output).height;
    node.out_width = workload::map_of(output).width;
    return node;
  }

  Node convolution(const Operator& op, const Tensor& input) const {
    Node node = map_node(op, input, op.output);
    if (op.window.groups == 1) {
      node.kind = NodeKind::convolution;
    } else if (op.window.groups == node.inputs && node.inputs == node.outputs) {
      node.kind = NodeKind::depthwise;
    } else {
      node.work = OtherWork::grouped_convolution;
    }
    return node;
  }

  Node fully_connected(const Operator& op) const {
    Node node;
    node.kind = NodeKind::fully_connected;
    node.height = node.out_height = Count{op.product.batch} * op.product.rows * batch_;
    node.inputs = op.product.inner;
    node.outputs = op.product.columns;
    return node;
  }

  Node elementwise(const Operator& op, const std::vector<OperatorId>& sources) const {
    Node node;
    node.work = OtherWork::elementwise;
    node.elements = elements(op.output);
    // A mean over a map reads more than it writes.
    if (op.kind == OperatorKind::global_pool) node.elements = elements(graph_.at(sources.front()).output);
    if (op.kind == OperatorKind::add || op.kind == OperatorKind::multiply) {
      node.tensors = static_cast<double>(std::max<std::size_t>(1, sources.size()));
    }
    return node;
  }

  const OperatorGraph& graph_;
  std::int64_t batch_;
  ElementwiseMode mode_;
  /// For each operator, the node that produces its output.
  std::vector<std::optional<std::size_t>> made_by_;
  Network network_;
};

}  // namespace

std::string_view name_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::convolution:
      return "convolution";
    case NodeKind::fully_connected:
      return "fully connected";
    case NodeKind::depthwise:
      return "depthwise";
    case NodeKind::other:
      break;
  }
  return "other";
}

bool Node::has_weights() const {
  return dense() || kind == NodeKind::depthwise || work == OtherWork::grouped_convolution ||
         work == OtherWork::transposed_convolution;
}

std::int64_t Node::input_rows(std::int64_t rows) const {
  if (rows <= 0) return 0;
  if (rows >= out_height) return height;
  return std::clamp<std::int64_t>((rows - 1) * window.stride + window.kernel.height - window.padding.height, 0, height);
}

double Node::input_elements() const { return static_cast<double>(Count{images} * height * width * inputs); }

double Node::output_elements() const { return static_cast<double>(Count{images} * out_height * out_width * outputs); }

double Node::intensity() const {
  if (macs == 0) return 0;
  const double groups = static_cast<double>(window.groups);
  const double weights = static_cast<double>(Count{inputs} * outputs * window.kernel.area()) / groups;
  return static_cast<double>(macs) / (input_elements() + output_elements() + weights);
}

Network make_network(const OperatorGraph& graph, std::int64_t batch, ElementwiseMode mode) {
  return Builder(graph, batch, mode).run();
}

}  // namespace pimsweep::hardware::gpu::network
