// What the first dimension of an ONNX network's input counts: samples of a batch, or entries of the data.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "import_helpers.h"
#include "onnx_bytes.h"

namespace pimsweep::workload {

namespace {

using namespace onnx_bytes;
using Catch::Matchers::Contains;
using import::FirstDimension;
using import::InputReading;
using import::OnnxModel;

OnnxModel parse(const std::string& bytes) {
  return import::read_onnx(import::strip_weights(bytes, "net.onnx"), "net.onnx");
}

struct Answer {
  bool has_batch;
  std::int64_t macs;
  std::string note;
};

Answer read(const std::string& bytes, FirstDimension first = FirstDimension::automatic, std::int64_t tokens = 0) {
  const OnnxModel model = parse(bytes);
  import::ImportOptions options;
  options.tokens = tokens;
  options.reading = import::read_inputs(model, {.first = first});
  const OperatorGraph graph = import::import_network(model, options);
  CHECK(graph.defects().empty());
  return {options.reading.has_batch, graph.macs(), options.reading.note};
}

std::string transpose(const std::string& from, const std::string& to, const std::vector<std::int64_t>& order) {
  return node("Transpose", {from}, {to}, attribute("perm", order));
}

/// Attention of one head over tokens in the first dimension, with 64 of 512 channels.
std::string attention_head(const std::string& input) {
  return model(input + weights("wq", {512, 64}) + weights("wk", {512, 64}) + weights("wv", {512, 64}) +
               node("MatMul", {"x", "wq"}, {"q"}) + node("MatMul", {"x", "wk"}, {"k"}) +
               node("MatMul", {"x", "wv"}, {"v"}) + transpose("k", "kt", {1, 0}) +
               node("MatMul", {"q", "kt"}, {"scores"}) + node("Softmax", {"scores"}, {"p"}) +
               node("MatMul", {"p", "v"}, {"y"}) + output("y"));
}

constexpr std::int64_t head_macs = 3 * 128 * 512 * 64 + 2 * 128 * 128 * 64;

/// Attention of 4 heads over {samples, 16 tokens, 32 channels}, with shapes that contain the number of samples.
std::string batched_attention(std::int64_t samples) {
  const auto heads = [&](const std::string& name) {
    return weights("w" + name, {32, 32}) + node("MatMul", {"x", "w" + name}, {name + "1"}) +
           node("Reshape", {name + "1", "split"}, {name + "2"}) + transpose(name + "2", name, {0, 2, 1, 3});
  };
  return model(input("x", {samples, 16, 32}) + integers("split", {samples, 16, 4, 8}) +
               integers("join", {samples, 16, 32}) + heads("q") + heads("k") + heads("v") +
               transpose("k", "kt", {0, 1, 3, 2}) + node("MatMul", {"q", "kt"}, {"scores"}) +
               node("Softmax", {"scores"}, {"p"}) + node("MatMul", {"p", "v"}, {"c1"}) +
               transpose("c1", "c2", {0, 2, 1, 3}) + node("Reshape", {"c2", "join"}, {"y"}) + output("y"));
}

constexpr std::int64_t batched_macs = 3 * 16 * 32 * 32 + 2 * 4 * 16 * 16 * 8;

}  // namespace

TEST_CASE("Entries that attention compares are data, not a batch", "[import]") {
  const Answer answer = read(attention_head(input("x", {128, 512})));
  CHECK_FALSE(answer.has_batch);
  CHECK(answer.macs == head_macs);
  CHECK_THAT(answer.note, Contains("first dimension of input 'x' (128) is data: MatMul") &&
                              Contains("multiplies its entries with each other"));
}

TEST_CASE("A first dimension that is named like tokens is their number", "[import]") {
  const std::string bytes = attention_head(open_input("x", "tokens", {512}));
  const Answer answer = read(bytes, FirstDimension::automatic, 128);
  CHECK(answer.macs == head_macs);
  CHECK_THAT(answer.note, Contains("('tokens') is data: by its name"));
  const OnnxModel model = parse(bytes);
  const import::InputExtents extents = import::input_extents(model, import::read_inputs(model, {}));
  CHECK(extents.is_sequence);
  CHECK_FALSE(extents.size);
}

TEST_CASE("An open first dimension without a telling name is followed, too", "[import]") {
  CHECK(read(attention_head(open_input("x", "s77", {512})), FirstDimension::automatic, 128).macs == head_macs);
  const std::string dense = weights("w", {512, 10}) + node("MatMul", {"x", "w"}, {"y"}) + output("y");
  const Answer answer = read(model(open_input("x", "s77", {512}) + dense));
  CHECK(answer.has_batch);
  CHECK(answer.macs == 5120);
}

TEST_CASE("One rule holds for inputs of every rank", "[import]") {
  const std::vector<std::int64_t> shape = GENERATE(
      std::vector<std::int64_t>{8, 32}, std::vector<std::int64_t>{8, 4, 32}, std::vector<std::int64_t>{8, 4, 4, 32});
  std::int64_t rows = 1;
  for (std::size_t i = 1; i + 1 < shape.size(); ++i) rows *= shape[i];
  const Answer answer = read(model(input("x", shape) + weights("w", {32, 10}) + node("MatMul", {"x", "w"}, {"y"}) +
                                   node("Relu", {"y"}, {"z"}) + output("z")));
  CHECK(answer.has_batch);
  CHECK(answer.macs == rows * 320);
  CHECK_THAT(answer.note, Contains("(8) is a batch, counted as 1: no operator combines its entries"));
}

TEST_CASE("Shapes that contain the number of samples do not hinder one sample", "[import]") {
  CHECK(read(batched_attention(1)).macs == batched_macs);
  const Answer answer = read(batched_attention(8));
  CHECK(answer.has_batch);
  CHECK(answer.macs == batched_macs);
}

TEST_CASE("Operators that combine entries of the first dimension", "[import]") {
  const auto [nodes, what] = GENERATE(table<std::string, std::string>({
      {node("ReduceMean", {"h"}, {"y"}, attribute("axes", std::vector<std::int64_t>{0})), "reduces it"},
      {node("Softmax", {"h"}, {"y"}, attribute("axis", 0)), "normalizes over it"},
      {node("Concat", {"h", "h"}, {"y"}, attribute("axis", 0)), "joins it with other entries"},
      {transpose("h", "y", {1, 0}), "no output leads with it"},
      {integers("rows", {1, 3}) + node("Gather", {"h", "rows"}, {"y"}), "selects among its entries"},
      {weights("p", {6, 32}) + node("Add", {"h", "p"}, {"y"}), "has learned values for each entry of it"},
      {weights("m", {6, 5}) + transpose("h", "t", {1, 0}) + node("MatMul", {"t", "m"}, {"y"}), "contracts it"},
      {weights("m", {6, 5}) + node("Gemm", {"h", "m"}, {"y"}, attribute("transA", 1)), "contracts it"},
  }));
  CAPTURE(what);
  const Answer answer = read(
      model(input("x", {6, 64}) + weights("w", {64, 32}) + node("MatMul", {"x", "w"}, {"h"}) + nodes + output("y")));
  CHECK_FALSE(answer.has_batch);
  CHECK(answer.macs >= 6 * 64 * 32);
  CHECK_THAT(answer.note, Contains(what));
}

TEST_CASE("The reading of the first dimension can be set", "[import]") {
  const std::string bytes =
      model(input("x", {8, 4, 32}) + weights("w", {32, 10}) + node("MatMul", {"x", "w"}, {"y"}) + output("y"));
  CHECK(read(bytes, FirstDimension::batch).macs == 4 * 320);
  CHECK(read(bytes, FirstDimension::data).macs == 8 * 4 * 320);
}

}  // namespace pimsweep::workload
