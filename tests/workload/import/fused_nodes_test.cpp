// Fused, quantized and inlined nodes of ONNX networks against the plain ones that they stand for.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "import_helpers.h"
#include "onnx_bytes.h"

namespace pimsweep::workload {

namespace {

using namespace onnx_bytes;
using Catch::Matchers::Contains;

constexpr std::int64_t int8_type = 3;
constexpr std::int64_t uint8_type = 2;
constexpr std::int64_t int32_type = 6;
constexpr std::string_view microsoft = "com.microsoft";

struct Counts {
  std::int64_t macs;
  std::int64_t weights;
  std::int64_t parameters;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts counts_of(const std::string& bytes) {
  const OperatorGraph graph = import_bytes(bytes);
  for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
  return {graph.macs(), graph.weights(), graph.parameters()};
}

std::string last_role(const std::string& graph) {
  const OperatorGraph read = import_bytes(model(graph, 20));
  return read.at(read.topological_order().back()).role;
}

/// Bits of the weights of the only operator that has any.
double weight_bits(const std::string& graph) {
  const OperatorGraph read = import_bytes(model(graph, 21));
  for (OperatorId id = 0; id < read.size(); ++id) {
    if (read.at(id).parameters > 0) return read.at(id).weight_bits;
  }
  return -1;
}

/// A convolution, as float or with quantized tensors.
const std::string image = input("x", {1, 3, 8, 8});
const std::string scale = weights("s", {}) + weights("z", {}, uint8_type);

std::string plain_network() {
  return image + weights("w", {4, 3, 3, 3}) + weights("b", {4}) + node("Conv", {"x", "w", "b"}, {"y"}) +
         node("Relu", {"y"}, {"r"}) + output("r");
}

}  // namespace

TEST_CASE("Networks of operator sets 18 to 23 are those of 17", "[import]") {
  const Counts counts = counts_of(model(plain_network(), 17));
  CHECK(counts == Counts{36 * 27 * 4, 108, 112});
  for (std::int64_t opset = 18; opset <= 23; ++opset) CHECK(counts_of(model(plain_network(), opset)) == counts);
}

TEST_CASE("Quantized forms of a network have its weights and parameters", "[import]") {
  const Counts counts = counts_of(model(plain_network()));
  const std::string quantized =
      image + scale + weights("w", {4, 3, 3, 3}, int8_type) + weights("b", {4}, int32_type) +
      node("QuantizeLinear", {"x", "s", "z"}, {"xq"}) + node("DequantizeLinear", {"xq", "s", "z"}, {"xd"}) +
      node("DequantizeLinear", {"w", "s"}, {"wd"}) + node("DequantizeLinear", {"b", "s"}, {"bd"}) +
      node("Conv", {"xd", "wd", "bd"}, {"y"}) + node("Relu", {"y"}, {"r"}) + output("r");
  CHECK(counts_of(model(quantized)) == counts);
  const std::string integer = image + scale + weights("w", {4, 3, 3, 3}, int8_type) + weights("b", {4}, int32_type) +
                              node("QuantizeLinear", {"x", "s", "z"}, {"xq"}) +
                              node("QLinearConv", {"xq", "s", "z", "w", "s", "z", "s", "z", "b"}, {"y"}) +
                              node("DequantizeLinear", {"y", "s", "z"}, {"r"}) + output("r");
  CHECK(counts_of(model(integer)) == counts);
}

TEST_CASE("Weights of 8 bits and constants of nodes are parameters", "[import]") {
  const std::string bytes = image + scale + weights("w", {4, 3, 3, 3}, int8_type) +
                            node("QuantizeLinear", {"x", "s", "z"}, {"xq"}) + node("ConvInteger", {"xq", "w"}, {"y"}) +
                            output("y");
  CHECK(counts_of(model(bytes)).parameters == 108);
  const std::string made = image + integers("shape", {4, 3, 3, 3}) + node("ConstantOfShape", {"shape"}, {"w"}) +
                           node("Conv", {"x", "w"}, {"y"}) + output("y");
  CHECK(counts_of(model(made)).parameters == 108);
  const std::string single = input("x", {1, 32}) + weights("w", {32, 1}) + weights("b", {1}) +
                             node("MatMul", {"x", "w"}, {"h"}) + node("Add", {"h", "b"}, {"y"}) + output("y");
  CHECK(counts_of(model(single)).parameters == 33);
}

TEST_CASE("Weights of quantized networks have their bits, scales and zero points of blocks included", "[import]") {
  constexpr std::int64_t half_type = 10;
  constexpr std::int64_t int4_type = 22;
  const std::string sequence = input("x", {1, 16, 32});
  const std::string end = node("MatMul", {"x", "d"}, {"y"}) + output("y");
  const auto dequantized = [&](std::int64_t type, const std::vector<std::string>& inputs, const std::string& block) {
    return sequence + weights("w", {32, 24}, type) + weights("s", {2, 24}) + weights("z", {2, 24}, type) +
           node("DequantizeLinear", inputs, {"d"}, block) + end;
  };
  CHECK(weight_bits(sequence + weights("d", {32, 24}) + end) == 0);
  CHECK(weight_bits(sequence + weights("d", {32, 24}, half_type) + end) == 0);
  CHECK(weight_bits(dequantized(int8_type, {"w", "s"}, "")) == 8);
  CHECK(weight_bits(dequantized(int4_type, {"w", "s", "z"}, "")) == 4);
  CHECK(weight_bits(dequantized(int4_type, {"w", "s", "z"}, attribute("block_size", 16))) == 4 + (32 + 4) / 16.0);
  // The exporter leaves it to the engine to quantize the weights.
  CHECK(weight_bits(sequence + weights("w", {32, 24}) + scale + node("QuantizeLinear", {"w", "s", "z"}, {"q"}) +
                    node("DequantizeLinear", {"q", "s", "z"}, {"d"}) + end) == 8);
  CHECK(weight_bits(image + scale + weights("w", {4, 3, 3, 3}, int8_type) +
                    node("QuantizeLinear", {"x", "s", "z"}, {"q"}) + node("ConvInteger", {"q", "w"}, {"y"}) +
                    output("y")) == 8);
  const auto packed = [&](std::int64_t bits) {
    return sequence + weights("w", {24, 2, 8}, uint8_type) + weights("s", {48}, half_type) +
           foreign_node(
               microsoft, "MatMulNBits", {"x", "w", "s"}, {"y"},
               attribute("K", 32) + attribute("N", 24) + attribute("bits", bits) + attribute("block_size", 16)) +
           output("y");
  };
  CHECK(weight_bits(packed(4)) == 5);
  CHECK_THROWS_WITH(weight_bits(packed(40)), Contains("has weights of 40 bits: expected 1 to 8"));
  Operator op;
  CHECK(op.stored_words(100, 2) == 100);
  op.weight_bits = 4.5;
  CHECK(op.stored_words(100, 2) == 29);
}

TEST_CASE("Local functions are the nodes that they hold", "[import]") {
  const std::string domain = "local";
  const std::string functions =
      function(domain, "Block", {"a", "k", "c"}, {"d"},
               {node("Conv", {"a", "k", "c"}, {"t"}), foreign_node(domain, "Act", {"t"}, {"d"})}) +
      function(domain, "Act", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})});
  const std::string graph = image + weights("w", {4, 3, 3, 3}) + weights("b", {4}) +
                            foreign_node(domain, "Block", {"x", "w", "b"}, {"r"}) + output("r");
  CHECK(counts_of(model(graph, 18, functions)) == counts_of(model(plain_network())));
  const std::string endless = function(domain, "Block", {"a"}, {"b"}, {foreign_node(domain, "Block", {"a"}, {"b"})});
  CHECK_THROWS_WITH(import_bytes(model(image + foreign_node(domain, "Block", {"x"}, {"r"}) + output("r"), 18, endless)),
                    Contains("calls functions more than 32 deep"));
}

TEST_CASE("Fused attention has the products of attention", "[import]") {
  // 16 tokens of 32 channels in 4 heads.
  constexpr std::int64_t attention = 2 * 16 * 16 * 32;
  const std::string sequence = input("x", {1, 16, 32});
  const std::string heads = attribute("num_heads", 4);
  CHECK(counts_of(model(sequence + weights("w", {32, 96}) + weights("b", {96}) +
                        foreign_node(microsoft, "Attention", {"x", "w", "b"}, {"y"}, heads) + output("y"))) ==
        Counts{16 * 32 * 96 + attention, 32 * 96, 33 * 96});
  const std::string projections = weights("wq", {32, 32}) + weights("wk", {32, 16}) + weights("wv", {32, 16}) +
                                  node("MatMul", {"x", "wq"}, {"q"}) + node("MatMul", {"x", "wk"}, {"k"}) +
                                  node("MatMul", {"x", "wv"}, {"v"});
  const Counts grouped{16 * 32 * 64 + attention, 32 * 64, 32 * 64};
  CHECK(counts_of(model(sequence + projections +
                        foreign_node(microsoft, "GroupQueryAttention", {"q", "k", "v", "", "", "", ""}, {"y"},
                                     heads + attribute("kv_num_heads", 2) + attribute("do_rotary", 1)) +
                        output("y"))) == grouped);
  CHECK(counts_of(model(
            sequence + projections +
                node("Attention", {"q", "k", "v"}, {"y"}, attribute("q_num_heads", 4) + attribute("kv_num_heads", 2)) +
                output("y"),
            23)) == grouped);
  CHECK(counts_of(model(sequence + weights("b", {96}) +
                        foreign_node(microsoft, "MultiHeadAttention", {"x", "x", "x", "b"}, {"y"}, heads) +
                        output("y"))) == Counts{attention, 0, 96});
}

TEST_CASE("Other fused nodes of transformers", "[import]") {
  const std::string sequence = input("x", {1, 16, 32});
  const std::string norm = weights("g", {32}) + weights("o", {32});
  CHECK(counts_of(model(sequence + norm +
                        foreign_node(microsoft, "SkipLayerNormalization", {"x", "x", "g", "o"}, {"y"}) + output("y")))
            .parameters == 64);
  CHECK(counts_of(model(sequence + norm + node("RMSNormalization", {"x", "g"}, {"y"}) + output("y"), 23)).parameters ==
        32);
  CHECK(counts_of(model(sequence + weights("w", {24, 32}) +
                        foreign_node(microsoft, "FusedMatMul", {"x", "w"}, {"y"}, attribute("transB", 1)) +
                        output("y"))) == Counts{16 * 32 * 24, 768, 768});
  // Two weights of 4 bits in a byte.
  CHECK(counts_of(model(sequence + weights("w", {24, 1, 16}, uint8_type) + weights("s", {24}) +
                        foreign_node(microsoft, "MatMulNBits", {"x", "w", "s"}, {"y"},
                                     attribute("K", 32) + attribute("N", 24) + attribute("bits", 4)) +
                        output("y"))) == Counts{16 * 32 * 24, 768, 768});
  CHECK(last_role(sequence + node("Gelu", {"x"}, {"y"}) + output("y")) == "gelu");
  CHECK(last_role(sequence + weights("b", {32}) + foreign_node(microsoft, "FastGelu", {"x", "b"}, {"y"}) +
                  output("y")) == "gelu");
}

TEST_CASE("Operators whose inputs have changed since version 17", "[import]") {
  const std::string sequence = input("x", {1, 16, 32});
  const auto shape_after = [&](const std::string& nodes) {
    const OperatorGraph graph = import_bytes(model(sequence + nodes + output("y"), 20));
    return graph.at(graph.topological_order().back()).output.shape;
  };
  using Shape = std::vector<std::int64_t>;
  CHECK(shape_after(integers("axes", {2}) + node("ReduceSum", {"x", "axes"}, {"y"}, attribute("keepdims", 1))) ==
        Shape{16, 1});
  CHECK(shape_after(node("Split", {"x"}, {"a", "b", "y"}, attribute("axis", 2) + attribute("num_outputs", 3))) ==
        Shape{16, 10});
  CHECK(shape_after(integers("pads", {1, 2}) + integers("axes", {1}) + node("Pad", {"x", "pads", "", "axes"}, {"y"})) ==
        Shape{19, 32});
  CHECK(shape_after(integers("sizes", {8, 8}) + node("Resize", {"x", "", "", "sizes"}, {"y"},
                                                     attribute("axes", std::vector<std::int64_t>{1, 2}) +
                                                         text_attribute("keep_aspect_ratio_policy", "not_larger"))) ==
        Shape{4, 8});
}

TEST_CASE("Parts of a constant are constant", "[import]") {
  const std::string bytes = input("x", {1, 1, 4}) + integers("list", {1, 6, 4}) + integers("sizes", {2, 1}) +
                            node("Split", {"list", "sizes"}, {"front", "back"}, attribute("axis", 0)) +
                            node("Concat", {"front", "back"}, {"shape"}, attribute("axis", 0)) +
                            node("Expand", {"x", "shape"}, {"y"}) + output("y");
  const OperatorGraph graph = import_bytes(model(bytes));
  CHECK(graph.at(graph.topological_order().back()).output.shape == std::vector<std::int64_t>{6, 4});
}

TEST_CASE("The refusal of an unknown operator names the way out", "[import]") {
  CHECK_THROWS_WITH(import_bytes(model(image + node("Magic", {"x"}, {"y"}) + output("y"))),
                    Contains("operator Magic is not supported: 1 node") && Contains("'unknown_operators'"));
}

}  // namespace pimsweep::workload
