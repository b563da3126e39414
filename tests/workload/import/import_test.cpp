// Single nodes, open dimensions, and files that are wrong or hostile.
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>
#include <random>

#include "base/base64.h"
#include "base/error.h"
#include "import_helpers.h"
#include "onnx_bytes.h"

namespace pimsweep::workload {

namespace {

using namespace onnx_bytes;
using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

const Operator& last_of(const OperatorGraph& graph) { return graph.at(graph.topological_order().back()); }

/// A convolution of an image with 3 channels to 8.
std::string convolution(const std::string& attributes, const Shape& kernels = {8, 3, 3, 3}) {
  return model(input("x", {1, 3, 20, 20}) + weights("w", kernels) + node("Conv", {"x", "w"}, {"y"}, attributes) +
               output("y"));
}

std::string error_of(const std::string& bytes, const import::ImportOptions& options = {}) {
  try {
    import_bytes(bytes, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Windows that the operator graph cannot express keep their shape and work", "[import]") {
  const auto [attributes, side] = GENERATE(
      table<std::string, std::int64_t>({{"", 18},
                                        {attribute("pads", {1, 1, 1, 1}), 20},
                                        {attribute("strides", {2, 2}) + attribute("pads", {0, 0, 1, 1}), 10},
                                        {attribute("strides", {2, 2}) + text_attribute("auto_pad", "SAME_UPPER"), 10},
                                        {attribute("dilations", {2, 2}), 16},
                                        {attribute("dilations", {2, 2}) + attribute("pads", {2, 2, 2, 2}), 20}}));
  const OperatorGraph graph = import_bytes(convolution(attributes));
  CHECK(graph.defects().empty());
  CHECK(last_of(graph).output.shape == Shape{side, side, 8});
  CHECK(graph.macs() == side * side * 27 * 8);
}

TEST_CASE("A fixed batch counts as one sample", "[import]") {
  const std::string bytes = model(input("x", {16, 100}) + weights("w", {10, 100}) + weights("b", {10}) +
                                  node("Gemm", {"x", "w", "b"}, {"y"}, attribute("transB", 1)) + output("y"));
  const OperatorGraph graph = import_bytes(bytes);
  CHECK(graph.macs() == 1000);
  CHECK(graph.parameters() == 1010);
  import::ImportOptions options;
  options.takes_one_sample = false;
  CHECK(import_bytes(bytes, options).macs() == 16000);
}

TEST_CASE("Shape arithmetic is computed", "[import]") {
  // x of {batch, open} is reshaped to {-1, 4} by a shape that is taken from its own.
  const std::string bytes =
      model(input("x", {-1, 0}) + integers("zero", {0}) + integers("four", {4}) + integers("minus", {-1}) +
            node("Shape", {"x"}, {"s"}) + node("Gather", {"s", "zero"}, {"n"}) + node("Mul", {"n", "four"}, {"m"}) +
            node("Concat", {"minus", "m"}, {"t"}, attribute("axis", 0)) + node("Reshape", {"x", "t"}, {"y"}) +
            weights("w", {4, 5}) + node("MatMul", {"y", "w"}, {"z"}) + output("z"));
  const OperatorGraph graph = import_bytes(bytes, at_size(0, 12));
  CHECK(last_of(graph).output.shape == Shape{3, 5});
  CHECK(graph.macs() == 60);
}

TEST_CASE("A matrix that two operators share is counted once", "[import]") {
  const std::string bytes = model(
      input("x", {1, 7}, int64_type) + weights("w", {50, 8}) + node("Gather", {"w", "x"}, {"e"}) +
      node("Transpose", {"w"}, {"t"}, attribute("perm", {1, 0})) + node("MatMul", {"e", "t"}, {"y"}) + output("y"));
  const OperatorGraph graph = import_bytes(bytes);
  CHECK(graph.parameters() == 400);
  CHECK(graph.macs() == 7 * 8 * 50);
  CHECK(last_of(graph).shares_weights);
}

TEST_CASE("Kernels that two convolutions share are counted once", "[import]") {
  const OperatorGraph graph =
      import_bytes(model(input("x", {1, 8, 9, 9}) + weights("w", {8, 8, 3, 3}) + node("Conv", {"x", "w"}, {"a"}) +
                         node("Conv", {"a", "w"}, {"y"}) + output("y")));
  CHECK(graph.defects().empty());
  CHECK(graph.parameters() == 576);
  CHECK(graph.macs() == 576 * (49 + 25));
}

TEST_CASE("A bias that is a single number is a parameter", "[import]") {
  const std::string bytes = model(input("x", {1, 3, 20, 20}) + weights("w", {1, 3, 3, 3}) + weights("b", {1}) +
                                  node("Conv", {"x", "w", "b"}, {"y"}) + output("y"));
  CHECK(import_bytes(bytes).parameters() == 28);
}

TEST_CASE("An equation that is a product becomes one", "[import]") {
  const std::string attention = model(
      input("x", {1, 4, 10, 16}) + node("Einsum", {"x", "x"}, {"s"}, text_attribute("equation", "bhid,bhjd->bhij")) +
      node("Softmax", {"s"}, {"p"}) + node("Einsum", {"p", "x"}, {"y"}, text_attribute("equation", "bhij,bhjd->bhid")) +
      output("y"));
  const OperatorGraph graph = import_bytes(attention);
  CHECK(graph.macs() == 2 * 4 * 10 * 10 * 16);
  CHECK(last_of(graph).role == "context");
}

TEST_CASE("Recurrent layers are unrolled", "[import]") {
  const auto [type, gates] = GENERATE(table<std::string, std::int64_t>({{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}}));
  CAPTURE(type);
  const OperatorGraph graph =
      import_bytes(model(input("x", {6, 1, 5}) + weights("w", {1, gates * 8, 5}) + weights("r", {1, gates * 8, 8}) +
                         weights("b", {1, gates * 16}) +
                         node(type, {"x", "w", "r", "b"}, {"y"}, attribute("hidden_size", 8)) + output("y")));
  CHECK(graph.defects().empty());
  CHECK(graph.macs() == 6 * gates * 8 * 13);
  CHECK(graph.parameters() == gates * 8 * 13 + gates * 16);
}

TEST_CASE("Errors of a file tell what is wrong", "[import]") {
  CHECK_THAT(error_of("name = \"x\"\n[[study]]\n"), Contains("net.onnx: cannot be read as an ONNX network"));
  CHECK_THAT(error_of(""), Contains("net.onnx: cannot be read as an ONNX network"));
  const std::string graph = input("x", {1, 8}) + node("Relu", {"x"}, {"y"}) + output("y");
  CHECK(error_of(model(graph, 7)) == "no error");
  CHECK_THAT(error_of(model(graph, 6)),
             Contains("version 6 of ONNX's operator set, but versions 7 to 25 are supported"));
  CHECK_THAT(error_of(model(graph, 26)), Contains("opset_version=25"));
  const std::string open = model(input("x", {1, 3, 0, 0}) + node("Relu", {"x"}, {"y"}) + output("y"));
  CHECK_THAT(error_of(open), Contains("dimension 3 ('open') of input 'x' is open: set axis 'image_px'"));
  CHECK(error_of(open, at_size(32)) == "no error");
  CHECK_THAT(
      error_of(model(input("x", {1, 8}) + output("x") + node("Relu", {"z"}, {"y"}) + node("Relu", {"y"}, {"z"}))),
      Contains("reads 'z', which no earlier node writes"));
  CHECK_THAT(error_of(model(graph + node("Identity", {"x"}, {}))), Contains("Identity 'Identity_1' has no output"));
  CHECK_THAT(error_of(model(graph + node("Cast", {"x"}, {""}))), Contains("Cast 'Cast_1' has no output"));
  CHECK_THAT(error_of(model(graph + node("Relu", {"x"}, {"y"}))), Contains("writes 'y', which exists already"));
  CHECK_THAT(
      error_of(model(input("x", {1, 8}) + weights("w", {9, 4}) + node("MatMul", {"x", "w"}, {"y"}) + output("y"))),
      Contains("MatMul 'MatMul_0' multiplies matrices of 1 x 8 and 9 x 4"));
}

TEST_CASE("Unknown operators are listed all at once, or treated as the user specifies", "[import]") {
  const std::string bytes =
      model(input("x", {1, 8}) + node("Frobnicate", {"x"}, {"a"}) + node("Frobnicate", {"a"}, {"b"}) +
            node("Twist", {"x"}, {"c"}) + node("Add", {"b", "c"}, {"y"}) + output("y"));
  const std::string error = error_of(bytes);
  CHECK_THAT(error, Contains("operator Frobnicate is not supported: 2 nodes ('Frobnicate_0', 'Frobnicate_1')"));
  CHECK_THAT(error, Contains("operator Twist is not supported: 1 node ('Twist_2')"));
  import::ImportOptions options;
  options.unknown = import::UnknownNodes::elementwise;
  CHECK(import_bytes(bytes, options).size() == 5);
  options.unknown = import::UnknownNodes::free;
  CHECK(import_bytes(bytes, options).size() == 2);
}

TEST_CASE("Hostile files are refused soon", "[import]") {
  std::string nodes;
  for (int i = 0; i < 3'000'000; ++i) nodes += text(1, "");
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep = text(5, text(6, text(1, deep)));
  std::string doubling = input("x", {1, 1 << 20}) + weights("w", {1});
  for (int i = 0; i < 60; ++i) {
    const std::string from = i == 0 ? "x" : "t" + std::to_string(i - 1);
    doubling += node("Concat", {from, from}, {"t" + std::to_string(i)}, attribute("axis", 1));
  }
  std::string constants = input("x", {1, 8}) + integers("n", {4096});
  for (int i = 0; i < 20'000; ++i) constants += node("ConstantOfShape", {"n"}, {"c" + std::to_string(i)});
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(error_of(model(nodes)), Contains("has more than 800000 nodes"));
  CHECK_THAT(error_of(model(text(1, deep) + input("x", {1, 8}))), Contains("net.onnx"));
  CHECK_THAT(error_of(model(doubling + output("t59"))), Contains("more than 2^53"));
  CHECK_THAT(error_of(model(constants)), Contains("computes more than"));
  CHECK_THAT(error_of(convolution(attribute("strides", {0, 0}))), Contains("out of range"));
  CHECK_THAT(error_of(convolution(attribute("dilations", {1 << 18, 1 << 18}))),
             Contains("larger than its padded input"));
  CHECK_THAT(error_of(model(input("x", {1, 1LL << 40, 1LL << 40}) + output("x"))), Contains("more than 2^53"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("Ten thousand nodes are read within a second", "[import]") {
  std::string graph = input("x", {-1, 64, 0, 0});
  std::string last = "x";
  for (int i = 0; i < 5'000; ++i) {
    const std::string weight = "w" + std::to_string(i);
    const std::string next = "t" + std::to_string(i);
    graph +=
        weights(weight, {64, 64, 1, 1}) + node("Conv", {last, weight}, {next}) + node("Relu", {next}, {next + "r"});
    last = next + "r";
  }
  const std::string bytes = model(graph + output(last));
  const std::clock_t start = std::clock();
  CHECK(import_bytes(bytes, at_size(32)).size() == 10'001);
  CHECK(std::clock() - start < CLOCKS_PER_SEC);
}

TEST_CASE("Damaged files are refused or read, but never more", "[import]") {
  const std::string whole = read_file(networks_folder + "squeezenet.onnx");
  std::mt19937 random(7);
  int refused = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::string bytes = whole;
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (trial % 4 == 0) bytes.resize(random() % bytes.size());
    if (error_of(bytes, at_size(64)) != "no error") ++refused;
  }
  CHECK(refused > 50);
}

TEST_CASE("Weights are not kept", "[import]") {
  const std::string values(4000, 'w');
  const std::string tensor = number(1, 1000) + number(2, float_type) + text(8, "w") + text(9, values);
  const std::string bytes =
      model(input("x", {1, 1000}) + text(5, tensor) + node("Mul", {"x", "w"}, {"y"}) + output("y"));
  const std::string stripped = import::strip_weights(bytes, "net.onnx");
  CHECK(stripped.size() < 200);
  CHECK(import_bytes(bytes).parameters() == 1000);
}

TEST_CASE("Bytes come back from base64", "[import]") {
  const std::string text = GENERATE("", "f", "fo", "foo", "foobar", "\xff\xfe\xfd");
  CHECK(from_base64(to_base64(text)) == text);
  CHECK(to_base64("foobar") == "Zm9vYmFy");
  CHECK(to_base64("fo") == "Zm8=");
  CHECK_FALSE(from_base64("Zm9").has_value());
  CHECK_FALSE(from_base64("Z=9v").has_value());
}

}  // namespace pimsweep::workload
