// Networks of layer tables.
#include <catch2/catch.hpp>
#include <ctime>
#include <map>
#include <string>

#include "base/error.h"
#include "base/posix_file.h"
#include "workload/import/formats.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

const std::string tables = "tests/workload/import/networks/";
const std::string topology =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

Model read(const std::string& text) { return import::read_csv_network(text, {"net.csv", "", {}}); }

OperatorGraph graph_of(const Model& model) {
  OperatorGraph graph = model.architecture->graph(model.default_size);
  for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
  return graph;
}

OperatorGraph graph_of(const std::string& text) { return graph_of(read(text)); }

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const Operator& named(const OperatorGraph& graph, const std::string& name) {
  for (OperatorId id = 0; id < graph.size(); ++id) {
    if (graph.at(id).name == name) return graph.at(id);
  }
  FAIL("no operator '" << name << "'");
  return graph.at(0);
}

}  // namespace

TEST_CASE("A topology of ResNet-18 has the work of the built-in model", "[import]") {
  static const ModelLibrary library("configs/models");
  const Model model = read(read_file(tables + "resnet-18-topology.csv"));
  CHECK(model.family == "layer-table");
  CHECK_FALSE(model.tokens);
  CHECK(model.default_size == 229);
  CHECK(model.architecture->min_input_size() == model.architecture->max_input_size());
  const OperatorGraph graph = graph_of(model);
  const OperatorGraph built = library.graph("resnet-18", 224);
  CHECK(graph.macs() == built.macs());
  CHECK(graph.weights() == built.weights());
  // A table has no biases and no normalization.
  CHECK(graph.parameters() == graph.weights());
  std::map<std::string, int> roles;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    ++roles[graph.at(id).role];
    CHECK(graph.predecessors(id).size() == (id == 0 ? 0 : 1));
  }
  CHECK(roles["conv"] == 21);
  CHECK(roles["not_in_table"] == 20);
  // A row that reads the map of the row before with a margin pads it.
  CHECK(named(graph, "conv2_1b.input").kind == OperatorKind::pad);
  CHECK(named(graph, "conv3_1s.input").kind == OperatorKind::gather);
}

TEST_CASE("GEMMs of SCALE-Sim and GEMMs with named columns give the same network", "[import]") {
  const OperatorGraph gemms = graph_of(read_file(tables + "encoder-gemm.csv"));
  CHECK(gemms.macs() == 64 * (4 * 768 * 768 + 2 * 768 * 3072));
  CHECK(gemms.weights() == 4 * 768 * 768 + 2 * 768 * 3072);
  CHECK(named(gemms, "fc1").product == MatrixProduct{1, 64, 768, 3072});
  // All rows but the last read what the row before has written.
  CHECK(gemms.size() == 7);
  const OperatorGraph products = graph_of(read_file(tables + "attention-products.csv"));
  CHECK(products.weights() == gemms.weights());
  CHECK(products.macs() == gemms.macs() + 2 * 12 * 64 * 64 * 64);
  CHECK(named(products, "scores").product == MatrixProduct{12, 64, 64, 64});
  CHECK(named(products, "scores").weights == 0);
  CHECK(named(products, "scores.input").role == "not_in_table");
}

TEST_CASE("Columns of GEMMs are identified by their headers", "[import]") {
  const OperatorGraph graph = graph_of("columns,name,batch,inner,rows\n5,a,,3,2\n7,b,4,5,2\n");
  CHECK(named(graph, "a").product == MatrixProduct{1, 2, 3, 5});
  CHECK(named(graph, "a").weights == 15);
  CHECK(named(graph, "b").product == MatrixProduct{4, 2, 5, 7});
  CHECK(named(graph, "b").weights == 0);
  const OperatorGraph shared = graph_of("name,rows,inner,columns,batch,weights\na,2,3,5,4,yes\nb,2,5,7,1,no\n");
  CHECK(named(shared, "a").weights == 15);
  CHECK(named(shared, "a").macs() == 4 * 2 * 3 * 5);
  CHECK(named(shared, "b").weights == 0);
}

TEST_CASE("The last windows of a row reach beyond the map, as in SCALE-Sim", "[import]") {
  const OperatorGraph graph = graph_of(topology + "a, 224, 224, 7, 7, 3, 64, 2,\n");
  CHECK(named(graph, "a").output.shape == Shape{110, 110, 64});
  CHECK(graph.macs() == 110LL * 110 * 7 * 7 * 3 * 64);
  CHECK(named(graph, "input").output.shape == Shape{224, 224, 3});
  CHECK(named(graph, "a.input").kind == OperatorKind::pad);
}

TEST_CASE("Rows may have a stride in each direction, and depthwise ones", "[import]") {
  const OperatorGraph graph = graph_of(
      "Layer, IFMAP Width, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Stride height, Stride "
      "width,\na, 9, 21, 3, 5, 8, 16, 1, 4,\nDP1, 7, 5, 3, 3, 16, 1, 1, 1,\n");
  CHECK(named(graph, "a").output.shape == Shape{7, 5, 16});
  CHECK(named(graph, "a").macs() == 7 * 5 * 3 * 5 * 8 * 16);
  const Operator& depthwise = named(graph, "DP1");
  CHECK(depthwise.window.groups == 16);
  CHECK(depthwise.weights == 9 * 16);
  CHECK(depthwise.macs() == 5 * 3 * 9 * 16);
}

TEST_CASE("Rows with equal names, or named like a movement between rows, are distinguished", "[import]") {
  const OperatorGraph graph = graph_of("Layer,M,N,K,\ninput,2,3,4,\nx,2,5,7,\nx.input,3,3,3,\nx,2,5,7,\n\n , , ,\n");
  CHECK(named(graph, "x.2").weights == 35);
  CHECK(named(graph, "input.2").kind == OperatorKind::input);
  CHECK(graph.weights() == 12 + 35 + 9 + 35);
}

TEST_CASE("Rows of a topology that have nothing but a name are headings", "[import]") {
  const Model model =
      read(topology + "\nAlphaGoZero,\nConv, 19, 19, 3, 3, 17, 256, 1,\n\nNext,,,\nFC,1,1,1,1,8,4,1,\n");
  CHECK(graph_of(model).weights() == 9 * 17 * 256 + 32);
  REQUIRE(model.notes.size() == 1);
  CHECK(model.notes.front() == "2 rows without sizes taken as headings: AlphaGoZero, Next");
  CHECK_THAT(error_of(topology + "Conv, 19, 19, 3, 3, 17, 256, 1,\nFC,\n"), Contains("the row lacks 'IFMAP Height'"));
}

TEST_CASE("All problems of a layer table are reported at once", "[import]") {
  CHECK_THAT(error_of(topology +
                      "a, 5, 5, 3, 3, 8, 16, 0,\nb, 5, x, 3, 3, 8,\n, 5, 5, 1, 1, 1, 1, 1,\nc, 5, 5, 6, 3, 8, 8, 1,\n"
                      "d, 5, 5, 1, 1, 8, 99999999999999999999, 1,\n"),
             Contains("net.csv:2:22: 'Strides' is '0', but an integer from 1 to 1000000000 is needed") &&
                 Contains("net.csv:3:6: 'IFMAP Width' is 'x'") && Contains("the row lacks 'Num Filter'") &&
                 Contains("net.csv:4:1: a row must begin with the name of its layer") &&
                 Contains("net.csv:5:9: a filter of 6 x 3 does not fit a map of 5 x 5") &&
                 Contains("net.csv:6:18: 'Num Filter' is '99999999999999999999'"));
  CHECK_THAT(
      error_of("name,inner,rows,colums\na,1,1,1\n"),
      Contains(
          "net.csv:1:17: a table of GEMMs does not have a column 'colums' here; its columns are: name, rows, inner, "
          "columns, batch, weights") &&
          Contains("requires the column 'columns'"));
  CHECK_THAT(error_of("name,rows,inner,columns,weights\na,1,1,1,maybe\n"),
             Contains("net.csv:2:9: 'weights' is 'maybe'"));
  CHECK_THAT(error_of("a,b\n1,2\n"),
             Contains("net.csv:1:1: the header does not match any layer table; supported are: Layer name, "
                      "IFMAP Height, "));
  CHECK_THAT(error_of(topology), Contains("the table has no rows"));
  CHECK_THAT(error_of(""), Contains("the table is empty"));
  CHECK_THAT(error_of("Layer,M,N,K,Sparsity,\na,1,1,1,4:2,\n"), Contains("net.csv:2:9: '4:2' is not a valid sparsity"));
  CHECK_THAT(error_of("Layer,M,N,K,\na,1000000000,1000000000,1000000000,\n"),
             Contains("net.csv:2:1: a tensor of this row"));
  CHECK_THROWS_WITH(import::read_csv_network(topology, {"net.csv", "x", {}}), Contains("remove ':x'"));
}

TEST_CASE("Hostile layer tables are refused or read soon", "[import]") {
  std::string bad = topology;
  std::string same = topology;
  std::string quotes;
  for (int i = 0; i < 30'000; ++i) {
    bad += "x,y\n";
    same += "a, 8, 8, 3, 3, 4, 4, 1,\n";
    quotes += "\"\"x\n";
  }
  const std::clock_t start = std::clock();
  CHECK_THAT(error_of(bad), Contains("too many errors"));
  CHECK(named(graph_of(same), "a.30000").weights == 144);
  CHECK(error_of(quotes).size() < 100'000);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 4);
}

TEST_CASE("A table is known by its rows, not by its form", "[import]") {
  const Hash128 gemm = read("Layer,M,N,K,\na,2,3,4,\n").content;
  CHECK(read("name,rows,inner,columns\na,2,4,3\n").content == gemm);
  CHECK(read("name,rows,inner,columns\na,2,4,5\n").content != gemm);
}

TEST_CASE("Sparse layers are products of the weights that are not zero", "[import]") {
  const Model gemm = read("Layer,M,N,K,Sparsity\nfc1,64,128,256,2:4\n");
  const OperatorGraph graph = gemm.architecture->graph(gemm.default_size);
  CHECK(graph.macs() == 64 * 128 * 128);
  CHECK(graph.weights() == 128 * 128);
  REQUIRE(gemm.notes.size() == 1);
  // Two bits for each weight.
  CHECK_THAT(gemm.notes[0], Contains("take 4096 bytes more"));
  const Model convolution = read(
      "Layer name,IFMAP Height,IFMAP Width,Filter Height,Filter Width,Channels,Num Filter,Strides,Sparsity\n"
      "c,6,6,3,3,10,8,1,1:4\n");
  // 90 weights of a filter are 23 blocks of 4.
  CHECK(convolution.architecture->graph(convolution.default_size).macs() == 16 * 23 * 8);
}

TEST_CASE("Notes and other separators of layer tables", "[import]") {
  const Model plain = read("Layer,M,N,K\nfc1,64,128,256\n");
  CHECK(read("Layer;M;N;K\nfc1;64;128;256\n").content == plain.content);
  CHECK(read("Layer\tM\tN\tK\nfc1\t64\t128\t256\n").content == plain.content);
  CHECK(read("Layer,M,N,K,,Eh,Ew\nfc1,64,128,256,,7,7\n").content == plain.content);
}

}  // namespace pimsweep::workload
