// Networks of layers with branches, attention and repeated blocks, and what a user sees who makes a mistake in one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <map>
#include <sstream>

#include "base/error.h"
#include "reference_sizes.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

/// A model file of one network "net"; its layers are in line 6, from column 11 on, its blocks from line 7 on.
std::string file_of(const std::string& layers, const std::string& blocks = "",
                    const std::string& input = "image_px = 32\nimage_channels = 3") {
  return "family = \"layers\"\n[[model]]\nname = \"net\"\n" + input + "\nlayers = [" + layers + "]\n" + blocks;
}

const std::string of_tokens = "tokens = 10\n";

std::map<std::string, Operator> operators_of(const OperatorGraph& graph) {
  CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
  std::map<std::string, Operator> operators;
  for (OperatorId id = 0; id < graph.size(); ++id) operators[graph.at(id).name] = graph.at(id);
  return operators;
}

std::map<std::string, Operator> network(const std::string& file) {
  const ModelLibrary library(file, "net.toml");
  return operators_of(library.graph("net", library.default_image_px("net")));
}

std::vector<Problem> problems_of(const std::string& file) {
  try {
    const ModelLibrary library(file, "net.toml");
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

void check_problem(const std::string& file, std::uint32_t line, std::uint32_t column, const std::string& message) {
  INFO(file);
  const std::vector<Problem> problems = problems_of(file);
  REQUIRE(problems.size() == 1);
  INFO(problems.front().message);
  CHECK(problems.front().where.line == line);
  CHECK(problems.front().where.column == column);
  CHECK_THAT(problems.front().message, Contains(message));
}

/// All that an operator is and reads, as text.
std::vector<std::string> lines_of(const OperatorGraph& graph) {
  std::vector<std::string> lines;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    const Operator& node = graph.at(id);
    std::ostringstream line;
    line << node.name << ' ' << name_of(node.kind) << ' ' << node.role << ' ' << node.stage << ' ' << node.block << ' '
         << node.weights << ' ' << node.parameters << ' ' << node.macs() << ' ' << node.shares_weights << ':';
    for (const std::int64_t extent : node.output.shape) line << ' ' << extent;
    line << " <-";
    for (const OperatorId source : graph.predecessors(id)) line << ' ' << source;
    lines.push_back(line.str());
  }
  return lines;
}

const ModelLibrary& examples() {
  static const ModelLibrary library("tests/workload/networks");
  return library;
}

}  // namespace

TEST_CASE("branches part and meet again", "[layers]") {
  auto net = network(file_of(
      R"("a = conv 3x3 8 pad same relu", "b = conv 1x1 8 from image", "sum = add relu from a b", "gate = global_pool",)"
      R"("scaled = multiply from sum gate", "both = concat from a scaled image", "last = slice 4", "upsample 2")"));
  CHECK(net.at("a").role == "a");
  CHECK(net.at("relu").role == "relu");
  CHECK(net.at("relu.2").kind == OperatorKind::activation);
  CHECK(net.at("scaled").output.shape == Shape{32, 32, 8});
  CHECK(net.at("both").output.shape == Shape{32, 32, 19});
  CHECK(net.at("last").output.shape == Shape{32, 32, 4});
  CHECK(net.at("upsample1").output.shape == Shape{64, 64, 4});
  CHECK(net.at("upsample1").kind == OperatorKind::gather);
}

TEST_CASE("normalization and a function in the text of their layer", "[layers]") {
  auto net = network(file_of(R"("first = conv 3x3 8 norm relu6", "fc 10 tanh")"));
  CHECK(net.at("first").parameters == net.at("first").weights);
  CHECK(net.at("first_norm").kind == OperatorKind::batch_norm);
  CHECK(net.at("first_norm").role == "first_norm");
  CHECK(net.count("relu6") == 1);
  CHECK(net.at("fc1").parameters == 30 * 30 * 8 * 10 + 10);
  CHECK(net.at("tanh").output.shape == Shape{1, 10});
}

TEST_CASE("attention reads one sequence or two", "[layers]") {
  auto net = network(file_of(R"("embedding 100 64", "attention 8", "text = input 32 rows 7",)"
                             R"("cross = attention 8 kv_heads 2 no_bias from attention1 text", "first_token")",
                             "", of_tokens));
  CHECK(net.at("scores").product == MatrixProduct{8, 10, 8, 10});
  CHECK(net.at("projection").output.shape == Shape{10, 64});
  CHECK(net.at("cross.q").weights == 64 * 64);
  CHECK(net.at("cross.k").output.shape == Shape{7, 16});
  CHECK(net.at("cross.k").parameters == 32 * 16);
  // The queries of four heads meet the keys of one.
  CHECK(net.at("cross.scores").product == MatrixProduct{2, 4 * 10, 8, 7});
  CHECK(net.at("cross.scores").output.shape == Shape{8, 10, 7});
  CHECK(net.at("cross.context").output.shape == Shape{10, 64});
  CHECK(net.at("first_token1").output.shape == Shape{1, 64});
}

TEST_CASE("a vision Transformer by hand has the counts of the family", "[layers]") {
  const std::string block = R"([block.encoder]
layers = ["norm1 = layer_norm", "attention 12", "a = add from x attention1", "norm2 = layer_norm", "fc 4*$x gelu", "fc $x", "add from a fc2"]
)";
  const ModelLibrary mine(file_of(R"("conv 16x16 768 stride 16", "tokens", "class_token", "add_positions 197",)"
                                  R"("encoder repeat 12", "layer_norm", "first_token", "fc 1000")",
                                  block, "image_px = 224\nimage_channels = 3"),
                          "vit.toml");
  const OperatorGraph graph = mine.graph("net", 224);
  CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
  const ModelLibrary library("configs/models");
  const OperatorGraph vit = library.graph("vit-b", 224);
  CHECK(graph.macs() == vit.macs());
  CHECK(graph.parameters() == vit.parameters());
  CHECK(graph.size() == vit.size());
}

TEST_CASE("blocks repeat, and the first repetition may differ", "[layers]") {
  const std::string block = R"([block.unit]
parameters = ["channels", "stride = 1", "project = 0"]
layers = ["a = conv 3x3 $channels stride $stride pad same", "s = conv 1x1 2*$channels/2 stride $stride if $project from x", "add from a s"]
)";
  auto net = network(file_of(
      R"("unit channels 8 repeat 2 first project 1", "last = unit channels 16 repeat 2 first stride 2 project 1",)"
      R"("unit channels 16 same_stage", "conv 1x1 4 from unit1")",
      block));
  CHECK(net.at("stage1.block1.s").weights == 3 * 8);
  CHECK(net.count("stage1.block2.s") == 0);
  CHECK(net.at("stage1.block2.add1").output.shape == Shape{32, 32, 8});
  CHECK(net.at("last.block1.s").window.stride == 2);
  CHECK(net.at("last.block2.add1").stage == 2);
  CHECK(net.at("stage2.block3.a").output.shape == Shape{16, 16, 16});
  CHECK(net.at("stage2.block3.a").block == 3);
  CHECK(net.at("conv1").stage == 0);
  CHECK(net.at("conv1").output.shape == Shape{32, 32, 4});
}

TEST_CASE("blocks within blocks, with several inputs", "[layers]") {
  auto net = network(file_of(R"("a = conv 1x1 4", "b = conv 1x1 6 from image", "outer from a b")",
                             R"([block.inner]
parameters = ["kernel", "act = relu"]
layers = ["conv $kernel $x pad same $act"]
[block.outer]
inputs = ["left", "right"]
layers = ["inner kernel 3x3 from left", "deep = inner kernel 5x5 act gelu repeat 2 from right", "concat from inner1 deep"]
)"));
  CHECK(net.at("stage1.block1.inner1.conv1").output.shape == Shape{32, 32, 4});
  CHECK(net.at("stage1.block1.deep.block2.conv1").window.kernel == Extent(5));
  CHECK(net.count("stage1.block1.deep.block2.gelu") == 1);
  CHECK(net.at("stage1.block1.concat1").output.shape == Shape{32, 32, 10});
}

TEST_CASE("each mistake in names, inputs and blocks has its place", "[layers][errors]") {
  const std::string unit =
      "[block.unit]\nparameters = [\"channels\", \"stride = 1\"]\nlayers = [\"conv 3x3 $channels\"]\n";
  const auto layers = [](const std::string& text, std::uint32_t column, const std::string& message) {
    check_problem(file_of(text), 6, column, message);
  };
  layers(R"("first = relu", "add from firts image")", 37, "no earlier layer is called 'firts' (did you mean 'first'?)");
  layers(R"("add from image later", "later = relu")", 27, "no earlier layer is called 'later'");
  layers(R"("add")", 15, "it reads 2 inputs, not 0: name them after 'from'");
  layers(R"("relu from image image")", 17, "it reads 1 input, not 2");
  layers(R"("relu from")", 21, "the names of earlier layers follow after 'from'");
  layers(R"("conv 1x1 8", "add from conv1 image")", 26, "its inputs have 8 and 3 channels");
  layers(R"("a = conv 3x3 3", "add from a image")", 30, "it joins 30 x 30 x 3 and 32 x 32 x 3");
  layers(R"("tokens", "add from tokens1 image")", 22, "\"tokens\" makes tokens of a map");
  layers(R"("attention 4")", 12, "it works on tokens or a vector, not on a map");
  layers(R"("tokens", "attention 2")", 22, "2 heads do not divide 3 channels");
  layers(R"("tokens", "embedding 10 10")", 22, "its tokens have 3 channels");
  layers(R"("slice 4")", 12, "it takes 4 of 3 channels");
  layers(R"("conv 3x3 $chanels")", 21, "'$chanels' is neither a parameter nor an earlier layer");
  layers(R"("conv 3x3 $image/2")", 21, "'$image/2': 3 / 2 is not a whole number");
  layers(R"("conv 3x3 8*relu")", 21, "'relu' is not a number in '8*relu'");
  layers(R"("conv 3x3 999999999*999999999")", 21, "is not a whole number up to 1000000000");
  layers(R"("relu if maybe")", 20, "expected a number after 'if'");
  layers(R"("conv 3x3 8 relu gelu")", 28, "a layer has one activation function");
  const auto uses = [&](const std::string& text, std::uint32_t column, const std::string& message) {
    check_problem(file_of(text, unit), 6, column, message);
  };
  uses(R"("unit stride 2")", 12,
       "'unit' is missing its parameter 'channels'; write unit channels VALUE [stride VALUE]");
  uses(R"("unit channels 4 strid 2")", 28, "'strid' is not a parameter of block 'unit' (did you mean 'stride'?)");
  uses(R"("unit channels 4 channels 8")", 28, "'channels' is given twice");
  uses(R"("unit channels")", 25, "'channels' is missing its value");
  uses(R"("unit channels 4 repeat 0")", 35, "'0' is not a 'repeat' from 1 to 1000000");
  uses(R"("unit channels 4 from image image")", 28, "it reads 1 input, not 2");
  uses(R"("unit channels 4", "uint channels 4")", 31, "unknown layer 'uint' (did you mean 'unit'?)");
  // A problem within a block is reported once, at its position there.
  check_problem(file_of(R"("unit channels many repeat 3")", unit), 9, 21, "'many' is not a valid number of channels");
}

TEST_CASE("blocks that no model uses or that use themselves", "[layers][errors]") {
  check_problem(file_of("\"relu\"", "[block.unit]\nlayers = [\"relu\"]\n"), 7, 8,
                "no model of the file uses block 'unit'");
  check_problem(file_of("\"a\"", "[block.a]\nlayers = [\"b\"]\n[block.b]\nlayers = [\"relu\", \"a\"]\n"), 10, 20,
                "a block cannot use itself: a > b > a");
  check_problem(file_of("\"relu\", \"a\"", "[block.a]\nlayer = [\"relu\"]\nlayers = [\"relu\"]\n"), 8, 1,
                "unknown key 'layer' in a block (did you mean 'layers'?)");
  check_problem(file_of("\"relu\"", "[block.conv]\nlayers = [\"relu\"]\n"), 7, 8,
                "'conv' is not a valid name of a block");
  CHECK_THAT(
      problems_of(file_of("\"a\"", "[block.a]\nparameters = [\"repeat = 1\"]\nlayers = [\"relu\"]\n")).at(0).message,
      Contains("no parameter can be called 'repeat'"));
  CHECK_THAT(problems_of("family = \"sequential\"\n[[model]]\nname = \"net\"\n").at(0).message,
             Contains("unknown family 'sequential'"));
}

TEST_CASE("repetitions of repetitions end early", "[layers][errors]") {
  std::string blocks = "[block.b0]\nlayers = [\"relu\", \"relu if 0\"]\n";
  for (int i = 1; i < 8; ++i) {
    blocks += "[block.b" + std::to_string(i) + "]\nlayers = [\"b" + std::to_string(i - 1) + " repeat 1000\"]\n";
  }
  const std::clock_t start = std::clock();
  check_problem(file_of("\"b7 repeat 1000000\"", blocks), 6, 12, "the network has more than 100000 operators");
  // Attention is seven operators, and each of these repetitions has a mistake.
  check_problem(
      file_of("\"embedding 9 8\", \"unit repeat 50000\"", "[block.unit]\nlayers = [\"attention 8\"]\n", of_tokens), 6,
      29, "more than 100000 operators");
  check_problem(file_of("\"unit repeat 300000\"", "[block.unit]\nlayers = [\"rlu\"]\n"), 8, 12, "unknown layer 'rlu'");
  CHECK(std::clock() - start < 10 * CLOCKS_PER_SEC);
}

TEST_CASE("a size that leaves branches uneven is reported with those that do not", "[layers][errors]") {
  CHECK_THROWS_WITH(examples().graph("u-net", 75),
                    Contains("it joins 9 x 9 x 512 and 8 x 8 x 512; the nearest input sizes that fit: 64 and 80"));
  CHECK_THROWS_AS(examples().graph("u-net", 75), PointError);
  CHECK_THROWS_WITH(examples().graph("gpt-2", 1025), Contains("takes sequences of 1 to 1024 tokens"));
}

TEST_CASE("BERT as layers is the graph of its family", "[layers]") {
  const ModelLibrary library("configs/models");
  for (const std::int64_t tokens : {1, 64, 512}) {
    CHECK(lines_of(examples().graph("bert-base", tokens)) == lines_of(library.graph("bert-base", tokens)));
  }
}

TEST_CASE("GPT-2 and U-Net by hand have their published parameters", "[layers]") {
  // 124,439,808 of the model of 124 million, and the head, which has the weights of the embedding there.
  const OperatorGraph gpt = examples().graph("gpt-2", 1024);
  CHECK_THAT(gpt.defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK(gpt.parameters() - 50257 * 768 == 124439808);
  auto decoder = operators_of(gpt);
  CHECK(decoder.at("stage1.block12.attention.scores").product == MatrixProduct{12, 1024, 64, 1024});
  // Ten convolutions down, eight up, four transposed ones and the last, with biases.
  std::int64_t parameters = 0;
  const auto add = [&](std::int64_t kernel, std::int64_t inputs, std::int64_t outputs) {
    parameters += kernel * inputs * outputs + outputs;
  };
  for (std::int64_t inputs = 1, channels = 64; channels <= 1024; inputs = channels, channels *= 2) {
    add(9, inputs, channels);
    add(9, channels, channels);
    if (channels == 1024) continue;
    add(4, 2 * channels, channels);
    add(9, 2 * channels, channels);
    add(9, channels, channels);
  }
  add(1, 64, 2);
  const OperatorGraph unet = examples().graph("u-net", 512);
  CHECK_THAT(unet.defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK(unet.parameters() == parameters);
  CHECK(parameters == 31030658);
}

TEST_CASE("networks written by hand have less than sixty lines, and the documentation shows them", "[layers][docs]") {
  const std::string page = read_text("docs/models.md");
  for (const std::string name : {"bert", "gpt-2", "u-net"}) {
    const std::string text = read_text("tests/workload/networks/" + name + ".toml");
    CHECK(std::count(text.begin(), text.end(), '\n') < 60);
    if (name != "bert") CHECK(page.find("```toml\n" + text + "```") != std::string::npos);
  }
}

}  // namespace pimsweep::workload
