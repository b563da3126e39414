// Networks given layer by layer: single layers of the language of model files, and the shapes they give.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "base/error.h"
#include "temporary_directory.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;

/// A model file of one network "net"; its layers are in line 7, from column 11 on.
std::string file_of(const std::string& layers, int px = 32, int channels = 3) {
  return "family = \"layers\"\n[[model]]\nname = \"net\"\nimage_px = " + std::to_string(px) +
         "\nimage_channels = " + std::to_string(channels) + "\n\nlayers = [" + layers + "]\n";
}

std::vector<Problem> problems_of(const std::string& layers) {
  const TemporaryDirectory directory;
  directory.write("my.toml", file_of(layers));
  try {
    const ModelLibrary library(directory.path());
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

Problem problem_of(const std::string& layers) {
  const std::vector<Problem> problems = problems_of(layers);
  INFO(layers);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().where.line == 7);
  return problems.front();
}

/// The operators of a network, by name.
std::map<std::string, Operator> operators_of(const OperatorGraph& graph) {
  CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
  std::map<std::string, Operator> operators;
  for (OperatorId id = 0; id < graph.size(); ++id) operators[graph.at(id).name] = graph.at(id);
  return operators;
}

std::map<std::string, Operator> network(const std::string& layers, int px = 32, int channels = 3) {
  const TemporaryDirectory directory;
  directory.write("my.toml", file_of(layers, px, channels));
  return operators_of(ModelLibrary(directory.path()).graph("net", px));
}

using Shape = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("layers have the shapes and counts that one works out by hand", "[layers]") {
  auto net = network(
      R"("conv 5x3 8 stride 2 pad 1", "batch_norm", "relu", "max_pool 3x3 stride 2 pad 1", "last = conv 3x3 4 groups 2 pad same no_bias",)"
      R"("average_pool 2x2", "fc 10", "sigmoid", "fc 6 no_bias", "softmax")",
      33);
  CHECK(net.at("image").output.shape == Shape{33, 33, 3});
  // floor((33 + 2 - 5) / 2) + 1 and floor((33 + 2 - 3) / 2) + 1.
  CHECK(net.at("conv1").output.shape == Shape{16, 17, 8});
  CHECK(net.at("conv1").weights == 5 * 3 * 3 * 8);
  CHECK(net.at("conv1").parameters == 5 * 3 * 3 * 8 + 8);
  CHECK(net.at("conv1").macs() == 5 * 3 * 3 * 8 * 16 * 17);
  CHECK(net.at("batch_norm1").parameters == 16);
  CHECK(net.at("relu1").kind == OperatorKind::activation);
  CHECK(net.at("relu1").role == "relu");
  CHECK(net.at("max_pool1").output.shape == Shape{8, 9, 8});
  CHECK(net.at("last").output.shape == Shape{8, 9, 4});
  CHECK(net.at("last").weights == 3 * 3 * 4 * 4);
  CHECK(net.at("last").parameters == net.at("last").weights);
  CHECK(net.at("last").macs() == 3 * 3 * 4 * 4 * 8 * 9);
  CHECK(net.at("average_pool1").output.shape == Shape{4, 4, 4});
  CHECK(net.at("fc1").weights == 64 * 10);
  CHECK(net.at("fc1").parameters == 64 * 10 + 10);
  CHECK(net.at("fc2").parameters == 60);
  CHECK(net.at("softmax1").output.shape == Shape{1, 6});
}

TEST_CASE("transposed convolutions enlarge maps", "[layers]") {
  auto net = network(
      R"("fc 147", "reshape 7x7 3", "conv_transpose 5x5 8 stride 2 pad same", "conv_transpose 4x4 2 stride 3 pad 1 no_bias")",
      1, 100);
  CHECK(net.at("reshape1").output.shape == Shape{7, 7, 3});
  CHECK(net.at("conv_transpose1").output.shape == Shape{14, 14, 8});
  CHECK(net.at("conv_transpose1").weights == 25 * 3 * 8);
  CHECK(net.at("conv_transpose1").macs() == 25 * 3 * 8 * 7 * 7);
  // (14 - 1) x 3 + 4 - 2.
  CHECK(net.at("conv_transpose2").output.shape == Shape{41, 41, 2});
  CHECK(net.at("conv_transpose2").parameters == 16 * 8 * 2);
}

TEST_CASE("a name and its '=' may stand together or apart", "[layers]") {
  CHECK(network(R"("a=conv 3x3 4", "b = fc 2", "relu")").count("a") == 1);
  CHECK(network(R"("a=conv 3x3 4", "b = fc 2", "c =relu")").count("c") == 1);
}

TEST_CASE("each mistake in a layer has its place and its remedy", "[layers][errors]") {
  const auto check = [](const std::string& layers, std::uint32_t column, const std::string& message) {
    const Problem problem = problem_of(layers);
    INFO(problem.message);
    CHECK(problem.where.column == column);
    CHECK_THAT(problem.message, Contains(message));
  };
  check(R"("relu", "cnov 3x3 8")", 20, "unknown layer 'cnov' (did you mean 'conv'?); layers: conv, conv_transpose");
  check(R"("conv 3 8")", 17, "'3' is not a height x width such as 5x5");
  check(R"("conv 3x0 8")", 17, "'3x0' is not a height x width");
  check(R"("conv 3x3x3 8")", 17, "'3x3x3' is not a height x width");
  check(R"("conv 3x3")", 20,
        "its end is not a valid number of channels from 1 to 65536; write conv KxK CHANNELS [stride S]");
  check(R"("conv 3x3 stride 2")", 21, "'stride' is not a valid number of channels");
  check(R"("conv 3x3 -8")", 21, "'-8' is not a valid number of channels");
  check(R"("conv 3x3 99999999999999999999")", 21, "is not a valid number of channels");
  check(R"("conv 3x3 8 stide 2")", 23, "'stide' does not belong here (did you mean 'stride'?)");
  check(R"("conv 3x3 8 stride")", 29, "its end is not a valid 'stride' from 1 to 255");
  check(R"("conv 3x3 8 stride 0")", 30, "'0' is not a valid 'stride' from 1 to 255");
  check(R"("conv 3x3 8 stride pad 1")", 30, "'pad' is not a valid 'stride' from 1 to 255");
  check(R"("conv 3x3 8 pad 3")", 27, "'3' is not a valid 'pad' from 0 to 2");
  check(R"("conv 3x3 8 pad 1 pad 1")", 29, "'pad' is given twice");
  check(R"("conv 4x4 8 pad same")", 31, "'pad same' needs a kernel of odd sides, not 4x4");
  check(R"("max_pool 2x2 groups 2")", 25, "'groups' does not belong here");
  check(R"("max_pool 2x3")", 24, "a window that is not square needs a stride");
  check(R"("relu 3")", 17, "'3' does not belong here; write relu");
  check(R"("")", 12, "expected a layer");
  check(R"("1a = relu")", 12, "'1a' is not a valid name");
  check(R"("a b = relu")", 16, "expected one name before '='");
  check(R"("= relu")", 12, "expected one name before '='");
  check(R"("conv1 = fc 8", "conv1 = relu")", 28, "the name 'conv1' is already used");
  check(R"("image = fc 8")", 12, "the name 'image' is already used");
  check(R"("conv 3x3 8 groups 2")", 12, "2 groups do not divide 3 input channels and 8 output channels");
  check(R"("fc 8", "conv 3x3 8")", 20, "it requires a map");
  check(R"("global_pool", "max_pool 2x2")", 27, "does not exist after a fully connected layer");
  check(R"("fc 48", "reshape 4x4 2")", 21, "it cannot make 4 x 4 x 2 of 1 x 48");
  check(R"("reshape 4x4 2")", 12, "not on a map");
  check(R"("fc 48", "reshape 4x4 3", "conv 5x5 2")", 38, "it does not fit its 4 x 4 x 3 input at any input size");
  check(R"("fc 8", 7)", 19, "'layers' has 7, but a list of 1 to 1000 layers, each a text is needed");
  // An escape sequence takes several columns.
  check(R"("re\u006cu 3")", 22, "'3' does not belong here; write relu");
  check("", 1, "'layers' has 0 entries");
}

TEST_CASE("all mistakes of a network come at once", "[layers][errors]") {
  const std::vector<Problem> problems =
      problems_of(R"("conv 3y3 8 strid 2 pad 9", "rlu", "fc many", "max_pool 2x2 pad 2")");
  REQUIRE(problems.size() == 5);
  CHECK_THAT(problems[0].message, Contains("'3y3' is not a height x width"));
  CHECK_THAT(problems[1].message, Contains("'strid' does not belong here (did you mean 'stride'?)"));
  CHECK_THAT(problems[2].message, Contains("unknown layer 'rlu'"));
  CHECK_THAT(problems[3].message, Contains("'many' is not a valid number of outputs"));
  CHECK_THAT(problems[4].message, Contains("'2' is not a valid 'pad' from 0 to 1"));
}

TEST_CASE("an image too small for a layer is refused, and the smallest is taken", "[layers][errors]") {
  const TemporaryDirectory directory;
  // 5 -> 1 by the convolution needs 2 for the pooling: 6 -> 2 -> 1.
  directory.write("my.toml", file_of(R"("conv 5x5 4", "max_pool 2x2", "fc 2")"));
  const ModelLibrary library(directory.path());
  CHECK(operators_of(library.graph("net", 6)).at("max_pool1").output.shape == Shape{1, 1, 4});
  CHECK_THROWS_WITH(library.graph("net", 5), Contains("net takes images of 6 to 16384 px"));
  CHECK_THROWS_WITH(library.vision_transformer("net", 32), Contains("net (family layers) has no stages and branches"));
  CHECK_THROWS_AS(library.vision_transformer("net", 32), PointError);
}

TEST_CASE("a network may read a vector of features", "[layers]") {
  const auto with_input = [](const std::string& input) {
    return "family = \"layers\"\n[[model]]\nname = \"mlp\"\n" + input +
           "\nlayers = [\"hidden = fc 512 relu\", \"joined = concat from hidden features\", \"out = fc $joined/2\"]\n";
  };
  const ModelLibrary library(with_input("input = { features = 1024 }"), "mlp.toml");
  auto net = operators_of(library.graph("mlp", library.input_size("mlp", {})));
  CHECK(net["features"].output.shape == Shape{1, 1024});
  CHECK(net["hidden"].product == MatrixProduct{1, 1, 1024, 512});
  CHECK(net["out"].product == MatrixProduct{1, 1, 1536, 768});
  CHECK(library.graph("mlp", 1).parameters() == 1025 * 512 + 1537 * 768);
  const InputSize one_token{.image_px = 0, .tokens = 1};
  CHECK_THROWS_WITH(library.input_size("mlp", one_token), Contains("mlp takes inputs of a fixed size: set axes"));
  CHECK_THROWS_WITH(library.graph("mlp", 2), Contains("only"));
  const auto refuses = [&](const std::string& input, const std::string& message) {
    CHECK_THROWS_WITH(ModelLibrary(with_input(input), "mlp.toml").graph("mlp", 1), Contains(message));
  };
  refuses("input = { features = 1024 }\ntokens = 1", "mlp.toml:5:1: 'tokens' is meaningless for a network whose input");
  refuses("input = { features = 0 }", "mlp.toml:4:11: ");
  refuses("input = { feature = 8 }", "input.feature");
}

TEST_CASE("counts beyond 64 bits are refused", "[layers][errors]") {
  const TemporaryDirectory directory;
  directory.write("my.toml", file_of(R"("conv 3x3 65536 pad same", "conv 255x255 65536 pad same", "fc 1000000")", 64));
  const ModelLibrary library(directory.path());
  CHECK_THROWS_WITH(library.graph("net", 16384), Contains("more multiply-accumulates than 64-bit counts hold"));
  std::string growing = "\"conv_transpose 2x2 2 stride 2\"";
  for (int i = 0; i < 100; ++i) growing += ", \"conv_transpose 2x2 2 stride 2\"";
  CHECK_THAT(problem_of(growing).message, Contains("does not fit"));
}

TEST_CASE("no damaged layer crashes, hangs or gives an unsound network", "[layers][errors][property]") {
  std::mt19937_64 random(2024);
  const std::vector<std::string> words{
      "conv", "max_pool", "fc",    "relu", "reshape", "conv_transpose", "3x3",       "2x2", "1x7", "8",
      "16",   "stride",   "2",     "pad",  "same",    "groups",         "no_bias",   "=",   "a",   "x",
      "-1",   "from",     "image", "add",  "norm",    "concat",         "attention", "if",  "0",   "4*$image"};
  int sound = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string layers;
    for (std::size_t layer = 1 + random() % 3; layer > 0; --layer) {
      layers += layers.empty() ? "\"" : ", \"";
      for (std::size_t word = 1 + random() % 4; word > 0; --word) layers += words[random() % words.size()] + " ";
      layers += "\"";
    }
    INFO(layers);
    try {
      const ModelLibrary library(file_of(layers), "my.toml");
      CHECK_THAT(library.graph("net", 32).defects(), Catch::Equals(std::vector<std::string>{}));
      ++sound;
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) CHECK(problem.where.line > 0);
    }
  }
  CHECK(sound > 5);
}

TEST_CASE("larger images never make less work", "[layers][property]") {
  std::mt19937_64 random(5);
  const auto pick = [&](int most) { return std::to_string(1 + random() % static_cast<unsigned>(most)); };
  for (int trial = 0; trial < 30; ++trial) {
    std::string layers = "\"conv 3x3 " + pick(9) + " pad same\"";
    for (int layer = 0; layer < 6; ++layer) {
      const std::string kernel = pick(5) + "x" + pick(5);
      layers += random() % 3 == 0 ? ", \"max_pool " + kernel + " stride " + pick(3) + "\""
                                  : ", \"conv " + kernel + " " + pick(9) + " stride " + pick(3) + "\"";
    }
    const TemporaryDirectory directory;
    directory.write("my.toml", file_of(layers + ", \"fc 10\"", 4000));
    const ModelLibrary library(directory.path());
    std::int64_t macs = 0;
    std::int64_t parameters = 0;
    for (std::int64_t px = 3000; px < 3040; ++px) {
      const OperatorGraph graph = library.graph("net", px);
      CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
      CHECK(graph.macs() >= macs);
      CHECK(graph.parameters() >= parameters);
      macs = graph.macs();
      parameters = graph.parameters();
    }
  }
}

TEST_CASE("the weights of HyPar's networks", "[layers]") {
  // HyPar, Table 3 and Fig. 8: the communication of data parallelism is in proportion to them.
  const std::map<std::string, std::int64_t> weights{{"sfc", 140722176},
                                                    {"sconv", 100500},
                                                    {"lenet-c", 430500},
                                                    {"cifar-c", 145376},
                                                    {"alexnet-one-column", 16624656},
                                                    {"vgg-a", 132851392},
                                                    {"vgg-b", 133035712},
                                                    {"vgg-c", 133625536},
                                                    {"vgg-d", 138344128},
                                                    {"vgg-e", 143652544}};
  const ModelLibrary library("configs/models");
  for (const auto& [model, count] : weights) {
    INFO(model);
    CHECK(library.graph(model, library.default_image_px(model)).weights() == count);
  }
}

TEST_CASE("the weighted layers of HyPar's networks have the paper's names", "[layers]") {
  const ModelLibrary library("configs/models");
  const auto names = [&](const std::string& model) {
    std::string joined;
    const OperatorGraph graph = library.graph(model, library.default_image_px(model));
    for (const OperatorId id : graph.topological_order()) {
      if (graph.at(id).weights > 0) joined += (joined.empty() ? "" : " ") + graph.at(id).name;
    }
    return joined;
  };
  // HyPar, Fig. 5.
  CHECK(names("sfc") == "fc1 fc2 fc3 fc4");
  CHECK(names("sconv") == "conv1 conv2 conv3 conv4");
  CHECK(names("lenet-c") == "conv1 conv2 fc1 fc2");
  CHECK(names("cifar-c") == "conv1 conv2 conv3 fc1 fc2");
  CHECK(names("alexnet") == "conv1 conv2 conv3 conv4 conv5 fc1 fc2 fc3");
  CHECK(names("vgg-a") == "conv1_1 conv2_1 conv3_1 conv3_2 conv4_1 conv4_2 conv5_1 conv5_2 fc1 fc2 fc3");
  CHECK(
      names("vgg-c") ==
      "conv1_1 conv1_2 conv2_1 conv2_2 conv3_1 conv3_2 conv3_3 conv4_1 conv4_2 conv4_3 conv5_1 conv5_2 conv5_3 fc1 fc2 "
      "fc3");
}

}  // namespace pimsweep::workload
