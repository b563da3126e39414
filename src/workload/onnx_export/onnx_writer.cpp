#include "workload/onnx_export/onnx_writer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "workload/onnx_export/rules.h"

namespace pimsweep::workload::onnx_export {

namespace {

constexpr int ir_version = 8;
constexpr int opset = 17;

void write_operator(ExportState& state, OperatorId id, ProblemList& problems) {
  const Operator& node = state.graph.at(id);
  try {
    OperatorWriter writer(state, id);
    rule_of(node.kind)(writer);
  } catch (const import::Refusal& refusal) {
    problems.add({},
                 fmt::format("cannot be written as ONNX: {} '{}' {}", name_of(node.kind), node.name, refusal.what()));
    // Its readers are still checked.
    state.written[id] = {node.name, Layout::channels_last, false};
  }
}

/// Adds the outputs of the network: tensors without readers.
void add_outputs(ExportState& state) {
  for (OperatorId id = 0; id < state.graph.size(); ++id) {
    if (!state.graph.successors(id).empty()) continue;
    const WrittenTensor& written = state.written[id];
    onnx::ValueInfoProto& output = *state.file.add_output();
    output.set_name(written.name);
    onnx::TypeProto_Tensor& tensor = *output.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(onnx::TensorProto::FLOAT);
    tensor.mutable_shape();
    for (const std::int64_t extent : shape_in(written.layout, state.graph.at(id).output.shape)) {
      tensor.mutable_shape()->add_dim()->set_dim_value(extent);
    }
  }
}

/// The inputs that hold data come first: other tools take the first input for the data.
void sort_inputs(onnx::GraphProto& file) {
  onnx::GraphProto sorted;
  for (const bool is_data : {true, false}) {
    for (const onnx::ValueInfoProto& input : file.input()) {
      if (input.doc_string().empty() != is_data) *sorted.add_input() = input;
    }
  }
  *file.mutable_input() = sorted.input();
}

}  // namespace

std::string write_onnx(const OperatorGraph& graph, const std::string& model) {
  ExportState state(graph);
  state.written.resize(graph.size());
  ProblemList problems;
  // Operators are added to a graph after those that they read, and slices take one part after another in this order.
  for (OperatorId id = 0; id < graph.size(); ++id) write_operator(state, id, problems);
  problems.throw_if_any();
  add_outputs(state);
  sort_inputs(state.file);
  state.file.set_name(model);
  onnx::ModelProto file;
  file.set_ir_version(ir_version);
  file.set_producer_name("pimsweep");
  file.add_opset_import()->set_version(opset);
  *file.mutable_graph() = std::move(state.file);
  return file.SerializeAsString();
}

}  // namespace pimsweep::workload::onnx_export
