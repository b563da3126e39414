// A written network that is read again is the same graph.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "../import/import_helpers.h"
#include "workload/graph_builder.h"
#include "workload/model_library.h"
#include "workload/onnx_export/onnx_writer.h"

namespace pimsweep::workload {

namespace {

/// An operator with the names of those that it reads, in order.
struct NamedOperator {
  Operator node;
  std::vector<std::string> inputs;
};

std::map<std::string, NamedOperator> by_name(const OperatorGraph& graph) {
  std::map<std::string, NamedOperator> operators;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    NamedOperator named{graph.at(id), {}};
    for (const OperatorId source : graph.predecessors(id)) named.inputs.push_back(graph.at(source).name);
    operators.emplace(graph.at(id).name, std::move(named));
  }
  return operators;
}

bool same_window(const ConvolutionWindow& a, const ConvolutionWindow& b) {
  return a.kernel == b.kernel && a.stride == b.stride && a.padding == b.padding && a.groups == b.groups;
}

/// What two operators of the same name differ in; empty if they are equal.
std::string difference(const NamedOperator& a, const NamedOperator& b) {
  if (a.node.kind != b.node.kind) return "kind";
  if (a.node.role != b.node.role) return "role";
  if (a.node.stage != b.node.stage || a.node.block != b.node.block) return "stage or block";
  if (a.node.output != b.node.output) return "output";
  if (a.node.product != b.node.product) return "product";
  if (!same_window(a.node.window, b.node.window)) return "window";
  if (a.node.weights != b.node.weights || a.node.shares_weights != b.node.shares_weights) return "weights";
  if (a.node.parameters != b.node.parameters) return "parameters";
  return a.inputs == b.inputs ? "" : "inputs";
}

void check_same(const OperatorGraph& written, const OperatorGraph& read) {
  const auto expected = by_name(written);
  const auto found = by_name(read);
  CHECK(written.size() == read.size());
  int shown = 0;
  for (const auto& [name, node] : expected) {
    const auto match = found.find(name);
    const std::string wrong = match == found.end() ? "missing" : difference(node, match->second);
    if (!wrong.empty() && ++shown < 5) FAIL_CHECK(name << " (" << name_of(node.node.kind) << "): " << wrong);
  }
  for (const std::string& defect : read.defects()) FAIL_CHECK(defect);
}

}  // namespace

TEST_CASE("A written built-in model is the same graph when it is read again", "[onnx_export]") {
  const ModelLibrary library("configs/models");
  CHECK(library.names().size() >= 71);
  for (const std::string& model : library.names()) {
    CAPTURE(model);
    const OperatorGraph graph = library.graph(model, library.default_image_px(model));
    check_same(graph, import_bytes(onnx_export::write_onnx(graph, model)));
  }
}

}  // namespace pimsweep::workload
