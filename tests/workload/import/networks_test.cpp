// Whole networks: parameters and multiply-accumulates as counted by the script that exported them, and as in the
// families of models where they are the same networks.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "import_helpers.h"
#include "workload/import/formats.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

OperatorGraph import_file(const std::string& name, std::int64_t size) {
  return import_bytes(read_file(networks_folder + name + ".onnx"), at_size(size, size));
}

std::map<std::string, int> roles_of(const OperatorGraph& graph) {
  std::map<std::string, int> roles;
  for (OperatorId id = 0; id < graph.size(); ++id) ++roles[graph.at(id).role];
  return roles;
}

/// Roles, GEMMs and parameters of all operators with a GEMM, in any order.
std::multiset<std::string> products_of(const OperatorGraph& graph) {
  std::multiset<std::string> products;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    const Operator& op = graph.at(id);
    if (op.macs() == 0) continue;
    const bool is_pooler = op.output.elements() == op.output.shape.back();
    products.insert(fmt::format("{} {} {} {} {} {}", is_pooler ? "pooler" : op.role, op.product.batch, op.product.rows,
                                op.product.inner, op.product.columns, op.parameters));
  }
  return products;
}

double deviation(std::int64_t a, std::int64_t b) {
  return std::fabs(static_cast<double>(a) / static_cast<double>(b) - 1);
}

}  // namespace

TEST_CASE("Parameters and multiply-accumulates are those of an independent count", "[import]") {
  std::ifstream file(networks_folder + "sizes.csv");
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "network,size,parameters,macs");
  int networks = 0;
  for (; std::getline(file, line); ++networks) {
    CAPTURE(line);
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    std::string name;
    std::int64_t size = 0;
    std::int64_t parameters = 0;
    std::int64_t macs = 0;
    cells >> name >> size >> parameters >> macs;
    const OperatorGraph graph = import_file(name, size);
    for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
    CHECK(graph.macs() == macs);
    CHECK(deviation(graph.parameters(), parameters) < 0.01);
  }
  CHECK(networks == 16);
}

TEST_CASE("Imported networks have the work of the families of models", "[import]") {
  static const ModelLibrary library("configs/models");
  const auto [file, model, size] =
      GENERATE(table<std::string, std::string, std::int64_t>({{"resnet-50", "resnet-50", 224},
                                                              {"resnet-50", "resnet-50", 320},
                                                              {"vgg-19", "vgg-e", 224},
                                                              {"inception-v3", "inception-v3", 299},
                                                              {"mobilenet-v2", "mobilenet-v2", 224},
                                                              {"swin-t", "swin-t", 224},
                                                              {"vit-b-16", "vit-b", 224},
                                                              {"bert", "bert-base", 128},
                                                              {"lstm", "lstm-small", 20}}));
  CAPTURE(file, size);
  const OperatorGraph imported = import_file(file, size);
  const OperatorGraph built = library.graph(model, size);
  CHECK(imported.macs() == built.macs());
  CHECK(imported.weights() == built.weights());
}

TEST_CASE("Attention that is spelled out has the roles of the families", "[import]") {
  auto roles = roles_of(import_file("vit-b-16", 224));
  for (const std::string role : {"qkv", "scores", "softmax", "context", "projection", "fc1", "gelu", "fc2"}) {
    CAPTURE(role);
    CHECK(roles[role] == 12);
  }
  CHECK(roles["layer_norm"] == 25);
  roles = roles_of(import_file("decoder", 64));
  CHECK(roles["scores"] == 12);
  CHECK(roles["gelu"] == 12);
  CHECK(roles["embedding"] == 1);
}

TEST_CASE("BERT is the same network from ONNX and from its configuration", "[import]") {
  const std::string folder = networks_folder + "bert-base-uncased/config.json";
  const Model configured = import::read_json_network(read_file(folder), {folder, "", {}});
  for (const std::int64_t tokens : {64, 200}) {
    const OperatorGraph from_onnx = import_file("bert", tokens);
    const OperatorGraph from_configuration = configured.architecture->graph(tokens);
    CHECK(products_of(from_onnx) == products_of(from_configuration));
    CHECK(from_onnx.macs() == from_configuration.macs());
    CHECK(from_onnx.weights() == from_configuration.weights());
    CHECK(from_onnx.parameters() == from_configuration.parameters());
  }
}

TEST_CASE("What exporters spell out is one operator", "[import]") {
  auto roles = roles_of(import_file("mobilenet-v3", 224));
  CHECK(roles["hard_swish"] > 0);
  CHECK(roles["hard_sigmoid"] > 0);
  CHECK(roles["global_pool"] == 9);
  roles = roles_of(import_file("resnet-50", 224));
  CHECK(roles["convolution"] == 53);
  CHECK(roles["relu"] == 49);
  CHECK(roles["add"] == 16);
}

}  // namespace pimsweep::workload
