// Language models, whose input size is a number of tokens, and the generator that begins with a vector.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "base/error.h"
#include "installed_models.h"
#include "reference_sizes.h"
#include "temporary_directory.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

std::map<std::string, Operator> operators(const std::string& model, std::int64_t tokens) {
  const OperatorGraph graph = library().graph(model, tokens);
  std::map<std::string, Operator> result;
  for (OperatorId id = 0; id < graph.size(); ++id) result[graph.at(id).name] = graph.at(id);
  return result;
}

}  // namespace

TEST_CASE("BERT attends over all tokens", "[models]") {
  auto net = operators("bert-base", 3);
  CHECK(net.at("word_embedding").output.shape == Shape{3, 768});
  CHECK(net.at("word_embedding").parameters == 30522 * 768);
  CHECK(net.at("stage1.block12.scores").output.shape == Shape{12, 3, 3});
  CHECK(net.at("stage1.block1.fc1").product == MatrixProduct{1, 3, 768, 3072});
  CHECK(net.at("pooler").output.shape == Shape{1, 768});
  // The weights do not depend on the number of tokens.
  CHECK(library().graph("bert-base", 3).parameters() == library().graph("bert-base", 512).parameters());
  CHECK_THROWS_WITH(library().graph("bert-base", 513), Contains("takes sequences of 1 to 512 tokens"));
}

TEST_CASE("the steps of an LSTM layer share their weights and follow each other", "[models]") {
  const OperatorGraph graph = library().graph("lstm-small", 4);
  auto net = operators("lstm-small", 4);
  const Operator& first = net.at("stage1.block1.gates");
  const Operator& later = net.at("stage1.block4.gates");
  CHECK(first.product == MatrixProduct{1, 1, 400, 800});
  CHECK(first.weights == 400 * 800);
  CHECK(first.parameters == 400 * 800 + 800);
  CHECK(later.product == first.product);
  CHECK(later.shares_weights);
  CHECK(later.weights == 0);
  CHECK(graph.parameters() == library().graph("lstm-small", 20).parameters());
  CHECK(library().graph("lstm-small", 20).macs() == 5 * graph.macs());
  // The longest chain visits every step of the first layer and the last step of the second.
  std::map<OperatorId, int> gates_before;
  int longest = 0;
  for (const OperatorId id : graph.topological_order()) {
    int& count = gates_before[id];
    for (const OperatorId before : graph.predecessors(id)) count = std::max(count, gates_before[before]);
    if (graph.at(id).role == "gates") ++count;
    longest = std::max(longest, count);
  }
  CHECK(longest == 4 + 2 - 1);
}

TEST_CASE("DCGAN makes and judges images of 28 x 28", "[models]") {
  auto generator = operators("dcgan-generator", 1);
  CHECK(generator.at("fc1").product == MatrixProduct{1, 1, 100, 12544});
  CHECK(generator.at("conv_transpose1").output.shape == Shape{7, 7, 128});
  CHECK(generator.at("conv_transpose2").output.shape == Shape{14, 14, 64});
  CHECK(generator.at("tanh1").output.shape == Shape{28, 28, 1});
  auto discriminator = operators("dcgan-discriminator", 28);
  CHECK(discriminator.at("conv2").output.shape == Shape{7, 7, 128});
  CHECK(discriminator.at("fc1").output.shape == Shape{1, 1});
}

TEST_CASE("a language model's file says tokens, not pixels", "[models][errors]") {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = read_text("configs/models/bert.toml");
    text.replace(text.find(from), from.size(), to);
    const TemporaryDirectory directory;
    directory.write("bert.toml", text);
    try {
      const ModelLibrary models(directory.path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(message("tokens = 64", "image_px = 64"), Contains("lacks 'tokens'") && Contains("unknown key 'image_px'"));
  CHECK_THAT(message("tokens = 64", "tokens = 513"),
             Contains("'tokens' of 'bert-base' must be at least 1 and at most 512"));
  CHECK_THAT(message("heads = 12", "heads = 7"), Contains("7 heads do not divide 768 channels"));
}

}  // namespace pimsweep::workload
