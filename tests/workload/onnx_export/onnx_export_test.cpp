// A written network that is read again is the same graph.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "../import/import_helpers.h"
#include "exported_models.h"
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

/// Difference between two operators of the same name; empty if they are equal.
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
  for (const std::string& model : exported_models(library)) {
    CAPTURE(model);
    const OperatorGraph graph = library.graph(model, library.default_image_px(model));
    check_same(graph, import_bytes(onnx_export::write_onnx(graph, model)));
  }
}

TEST_CASE("So are built-in models at other sizes", "[onnx_export]") {
  const ModelLibrary library("configs/models");
  const auto [model, size] = GENERATE(table<std::string, std::int64_t>({{"swin-t", 250},
                                                                        {"cswin-t", 448},
                                                                        {"focal-t", 384},
                                                                        {"twins-svt-s", 240},
                                                                        {"vit-h", 640},
                                                                        {"pvt-t", 256},
                                                                        {"bert-base", 512},
                                                                        {"lstm-small", 1},
                                                                        {"word2vec", 7},
                                                                        {"dcgan-mnist-generator", 29},
                                                                        {"inception-v3", 75},
                                                                        {"resnet-50", 1}}));
  CAPTURE(model, size);
  const OperatorGraph graph = library.graph(model, size);
  check_same(graph, import_bytes(onnx_export::write_onnx(graph, model)));
}

TEST_CASE("So is a step of generating, whose keys and values are inputs of the file", "[onnx_export]") {
  const ModelLibrary library(R"(family = "decoder"
[[model]]
name = "small"
tokens = 1
context = 20
vocabulary = 100
hidden = 16
blocks = 2
heads = 4
kv_heads = 2
ffn = 24
gated = true
activation = "silu"
norm = "rms"
position = "rotary"
positions = 32
bias = false
tied = false
)",
                             "models.toml");
  const OperatorGraph graph = library.graph("small", 1);
  const std::string file = onnx_export::write_onnx(graph, "small");
  check_same(graph, import_bytes(file));
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(file));
  const auto is_cached = [](const auto& input) { return input.name().find("cached_") != std::string::npos; };
  CHECK(std::ranges::count_if(model.graph().input(), is_cached) == 4);
}

TEST_CASE("So are networks that come from a file", "[onnx_export]") {
  const auto [name, size] = GENERATE(table<std::string, std::int64_t>({{"alexnet", 224},
                                                                       {"decoder", 64},
                                                                       {"densenet-121", 224},
                                                                       {"googlenet", 224},
                                                                       {"inception-v3", 299},
                                                                       {"lstm", 20},
                                                                       {"mobilenet-v2", 224},
                                                                       {"mobilenet-v3", 224},
                                                                       {"resnet-50", 224},
                                                                       {"shufflenet-v2", 224},
                                                                       {"squeezenet", 224},
                                                                       {"swin-t", 224},
                                                                       {"u-net", 64},
                                                                       {"vgg-19", 224},
                                                                       {"vit-b-16", 224}}));
  CAPTURE(name);
  const OperatorGraph graph = import_bytes(read_file(networks_folder + name + ".onnx"), at_size(size, size));
  check_same(graph, import_bytes(onnx_export::write_onnx(graph, name)));
}

namespace {

/// A file whose nodes belong to the operators that `mark` names, by the number of the node.
template <typename MarkOf>
std::string changed_marks(const std::string& file, MarkOf mark_of) {
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(file));
  for (int i = 0; i < model.graph().node_size(); ++i) {
    onnx::NodeProto& node = *model.mutable_graph()->mutable_node(i);
    node.set_doc_string(mark_of(i, node.doc_string()));
  }
  return model.SerializeAsString();
}

std::string written_model(const std::string& name) {
  const ModelLibrary library("configs/models");
  return onnx_export::write_onnx(library.graph(name, library.default_image_px(name)), name);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

std::string import_error(const std::string& file) {
  try {
    import_bytes(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::map<std::string, int> roles_of(const OperatorGraph& graph) {
  std::map<std::string, int> roles;
  for (OperatorId id = 0; id < graph.size(); ++id) ++roles[graph.at(id).role];
  return roles;
}

}  // namespace

TEST_CASE("Without all its marks a file is read as any other", "[onnx_export]") {
  const std::string file = written_model("vit-b");
  const OperatorGraph marked = import_bytes(file);
  CHECK(roles_of(marked)["norm1"] == 12);
  const auto without_one = [](int i, const std::string& doc) { return i == 7 ? "" : doc; };
  const auto apart = [](int i, const std::string& doc) { return i == 0 ? replaced(doc, "name=", "name=x") : doc; };
  for (const std::string& changed :
       {changed_marks(file, without_one), changed_marks(file, [](int, const std::string&) { return "doc"; })}) {
    const OperatorGraph plain = import_bytes(changed);
    // What standard ONNX says: all the work, and attention as it is recognized in any file.
    CHECK(plain.macs() == marked.macs());
    CHECK(plain.weights() == marked.weights());
    CHECK(plain.parameters() == marked.parameters());
    CHECK(roles_of(plain)["norm1"] == 0);
    CHECK(roles_of(plain)["scores"] == 12);
    CHECK(roles_of(plain)["gelu"] == 12);
  }
  CHECK(import_bytes(changed_marks(file, apart)).macs() == marked.macs());
}

TEST_CASE("Built-in models lose no work in what standard ONNX says of them", "[onnx_export]") {
  const ModelLibrary library("configs/models");
  for (const std::string& model : exported_models(library)) {
    CAPTURE(model);
    const OperatorGraph graph = library.graph(model, library.default_image_px(model));
    onnx::ModelProto file;
    REQUIRE(file.ParseFromString(onnx_export::write_onnx(graph, model)));
    for (onnx::NodeProto& node : *file.mutable_graph()->mutable_node()) node.clear_doc_string();
    const OperatorGraph plain = import_bytes(file.SerializeAsString());
    CHECK(plain.macs() == graph.macs());
    CHECK(plain.weights() == graph.weights());
    CHECK(plain.parameters() == graph.parameters());
  }
}

TEST_CASE("The size of a written network is that of its input", "[onnx_export]") {
  const auto extents = [](const std::string& name) {
    return import::input_extents(import::read_onnx(import::strip_weights(written_model(name), name), name));
  };
  CHECK(extents("resnet-50").size == 224);
  CHECK_FALSE(extents("resnet-50").is_sequence);
  CHECK(extents("bert-base").size == 64);
  CHECK(extents("bert-base").is_sequence);
  // An image of one pixel and a hundred channels.
  CHECK(extents("dcgan-generator").size == 1);
}

TEST_CASE("Marks that contradict the nodes are errors", "[onnx_export]") {
  const std::string file = written_model("lenet-c");
  const auto with = [&](const std::string& from, const std::string& to) {
    return import_error(
        changed_marks(file, [&](int i, const std::string& doc) { return i == 0 ? replaced(doc, from, to) : doc; }));
  };
  CHECK(with("kind=convolution", "kind=linear").find("'conv1' is marked as linear, but none of its nodes is one") !=
        std::string::npos);
  CHECK(with("output=24x24x20", "output=24x24x21").find("'conv1' is marked with an output of another size") !=
        std::string::npos);
  CHECK(with("output=24x24x20", "output=0x24x20").find("elements") != std::string::npos);
  // No marks at all.
  CHECK(with("kind=convolution", "kind=konvolution").empty());
}

TEST_CASE("A marked operator that doubles its way back with each node is read in no time", "[onnx_export]") {
  onnx::ModelProto file;
  REQUIRE(file.ParseFromString(written_model("lenet-c")));
  const std::string mark = replaced(file.graph().node(0).doc_string(), "kind=convolution", "kind=multiply");
  file.mutable_graph()->clear_node();
  for (int i = 0; i < 60; ++i) {
    onnx::NodeProto& node = *file.mutable_graph()->add_node();
    node.set_op_type("Mul");
    for (int input = 0; input < 2; ++input) node.add_input(i == 0 ? "image" : "x" + std::to_string(i - 1));
    node.add_output("x" + std::to_string(i));
    node.set_doc_string(replaced(mark, "24x24x20", "28x28x1"));
  }
  file.mutable_graph()->mutable_output(0)->set_name("x59");
  CHECK(import_error(file.SerializeAsString()).find("has too many nodes") != std::string::npos);
}

TEST_CASE("What a marked operator keeps to itself cannot be read by others", "[onnx_export]") {
  onnx::ModelProto file;
  REQUIRE(file.ParseFromString(written_model("bert-base")));
  // The first node of GELU, and a reader of it in the next operator.
  auto& nodes = *file.mutable_graph()->mutable_node();
  const auto erf = std::ranges::find(nodes, "Erf", &onnx::NodeProto::op_type);
  const auto next =
      std::find_if(erf, nodes.end(), [&](const auto& node) { return node.doc_string() != erf->doc_string(); });
  REQUIRE(next != nodes.end());
  next->set_input(0, erf->output(0));
  CHECK(import_error(file.SerializeAsString()).find("which no earlier node writes") != std::string::npos);
}

TEST_CASE("All operators that ONNX cannot express are reported at once", "[onnx_export]") {
  GraphBuilder builder;
  OperatorId x = builder.input({4, 6}, "x");
  x = builder.activation(x, "swoosh");
  x = builder.activation(x, "relu");
  builder.concat({x, x}, {2, 24}, "odd");
  std::string message;
  try {
    onnx_export::write_onnx(builder.take(), "net");
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK(message.find("activation 'swoosh' is the function 'swoosh'") != std::string::npos);
  CHECK(message.find("concat 'odd' joins tensors that do not line up") != std::string::npos);
}

}  // namespace pimsweep::workload
