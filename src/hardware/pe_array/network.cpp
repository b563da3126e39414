#include "hardware/pe_array/network.h"

#include <algorithm>

#include "base/checked.h"
#include "workload/import/layer_table.h"

namespace pimsweep::hardware::pe_array {

namespace {

using workload::Operator;
using workload::OperatorGraph;
using workload::OperatorId;
using workload::OperatorKind;

class LayerMaker {
 public:
  LayerMaker(const OperatorGraph& graph, std::int64_t batch, std::int64_t word_bytes)
      : graph_(graph), batch_(batch), word_bytes_(static_cast<double>(word_bytes)) {}

  NetworkLayer make(OperatorId id) const {
    const Operator& op = graph_.at(id);
    NetworkLayer layer;
    layer.name = op.name;
    layer.kind = op.kind;
    if (op.macs() > 0) {
      put_gemms(op, input_elements(id), layer);
    } else {
      put_words(id, op, layer);
    }
    return layer;
  }

 private:
  Count input_elements(OperatorId id) const {
    Count elements = 0;
    for (const workload::Tensor& input : graph_.inputs(id)) elements += input.elements();
    return elements;
  }

  void put_gemms(const Operator& op, Count inputs, NetworkLayer& layer) const {
    const workload::MatrixProduct& product = op.product;
    layer.gemm = {product.rows, product.columns, product.inner};
    layer.gemms = product.batch;
    if (op.weight_bits > 0) layer.gemm.stored_b = op.stored_words(Count{product.inner} * product.columns, word_bytes_);
    switch (op.kind) {
      case OperatorKind::matmul:
        layer.gemms = Count{product.batch} * batch_;
        return;
      case OperatorKind::linear:
        layer.gemms = 1;
        layer.gemm.m = Count{product.batch} * product.rows * batch_;
        return;
      default:
        layer.gemm.m = Count{product.rows} * batch_;
        layer.gemm.stored_a =
            std::min<std::int64_t>(inputs * batch_ / product.batch, Count{layer.gemm.m} * layer.gemm.k);
        return;
    }
  }

  void put_words(OperatorId id, const Operator& op, NetworkLayer& layer) const {
    const Count outputs = Count{op.output.elements()} * batch_;
    const Count inputs = input_elements(id) * batch_ + op.parameters;
    layer.writes = outputs;
    switch (op.kind) {
      case OperatorKind::embedding:
        layer.reads = outputs;
        layer.dram_reads = op.stored_words(outputs, word_bytes_);
        break;
      case OperatorKind::gather:
      case OperatorKind::crop:
        layer.reads = layer.dram_reads = outputs;
        break;
      case OperatorKind::max_pool:
      case OperatorKind::average_pool:
        layer.reads = outputs * op.window.kernel.area();
        layer.dram_reads = inputs;
        break;
      default:
        layer.reads = layer.dram_reads = inputs;
        break;
    }
    layer.dram_writes = outputs;
    if (!works_in_place(id, op)) return;
    layer.dram_reads = layer.dram_writes = 0;
  }

  bool works_in_place(OperatorId id, const Operator& op) const {
    if (op.kind != OperatorKind::activation && op.kind != OperatorKind::batch_norm) return false;
    const std::vector<OperatorId> sources = graph_.predecessors(id);
    return sources.size() == 1 && graph_.at(sources.front()).kind != OperatorKind::input &&
           graph_.successors(sources.front()).size() == 1;
  }

  const OperatorGraph& graph_;
  std::int64_t batch_;
  double word_bytes_;
};

bool is_view(const Operator& op) {
  return op.kind == OperatorKind::input || op.kind == OperatorKind::reshape || op.kind == OperatorKind::slice ||
         op.role == workload::import::window_input_role || op.role == workload::import::not_in_table_role;
}

}  // namespace

std::vector<NetworkLayer> network_layers(const workload::OperatorGraph& graph, std::int64_t batch,
                                         std::int64_t word_bytes) {
  const LayerMaker maker(graph, batch, word_bytes);
  std::vector<NetworkLayer> layers;
  for (const OperatorId id : graph.topological_order()) {
    if (!is_view(graph.at(id))) layers.push_back(maker.make(id));
  }
  return layers;
}

}  // namespace pimsweep::hardware::pe_array
