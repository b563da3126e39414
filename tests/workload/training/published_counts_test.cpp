// Invocations for each step against those that the papers print (results/reference/training_counts.csv).
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/csv.h"
#include "training_steps.h"

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

struct PublishedCount {
  std::string step;
  std::string type;
  std::size_t published = 0;
  bool agrees = false;
  std::string note;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<PublishedCount> published_counts() {
  const std::string path = "results/reference/training_counts.csv";
  const CsvTable table = parse_csv(read_text(path), path);
  std::vector<PublishedCount> counts;
  for (const auto& row : table.rows) {
    const auto cell = [&](const char* name) { return row.at(static_cast<std::size_t>(table.column(name))).text; };
    counts.push_back(
        {cell("step"), cell("type"), std::stoul(cell("published")), cell("agrees") == "yes", cell("note")});
  }
  return counts;
}

std::size_t count_of(const training::TrainingGraph& graph, const std::string& type) {
  return static_cast<std::size_t>(std::count_if(
      graph.operations().begin(), graph.operations().end(),
      [&](const training::TrainingOperation& operation) { return training::name_of(operation.type) == type; }));
}

}  // namespace

TEST_CASE("published numbers of invocations come out, or it is said why not", "[training][docs]") {
  std::map<std::string, training::TrainingGraph> graphs;
  const std::string page = read_text("docs/training-graphs.md");
  for (const PublishedCount& published : published_counts()) {
    if (!graphs.contains(published.step)) graphs.emplace(published.step, graph_of(published.step));
    const std::size_t count = count_of(graphs.at(published.step), published.type);
    INFO(published.step << " " << published.type << ": " << count << ", published " << published.published);
    CHECK((count == published.published) == published.agrees);
    CHECK(published.note.empty() == published.agrees);
    const std::string row = fmt::format("| {} | {} | {} | {} | {} |", published.step, published.type,
                                        published.published, count, published.note);
    INFO(row);
    CHECK(page.find(row + "\n") != std::string::npos);
  }
}

TEST_CASE("gates and biases are what Table I's counts of DCGAN and VGG-19 need", "[training]") {
  training::TrainingStep dcgan = steps().find("heteropim-dcgan");
  dcgan.gate_gradients = false;
  const training::TrainingGraph pruned = training::training_graph(models(), dcgan);
  CHECK(pruned.count(MatMul) != 12);
  CHECK(pruned.count(Slice) != 14);
  CHECK(pruned.count(Conv2DBackpropFilter) != 4);
  dcgan.trains_adversary = true;
  CHECK(training::training_graph(models(), dcgan).count(MatMul) == 14);
  training::TrainingStep vgg = steps().find("heteropim-vgg-19");
  vgg.plain_linear_bias = false;
  CHECK(training::training_graph(models(), vgg).count(BiasAddGrad) == 19);
  vgg.gate_gradients = true;
  CHECK(training::training_graph(models(), vgg).count(Conv2DBackpropInput) == 16);
}

TEST_CASE("Inception-v3's filter gradients have 42 different pairs of input and filter", "[training]") {
  // Runtime concurrency, Sec. II-C2: "instances", each with other sizes.
  const training::TrainingGraph graph = graph_of("rtconc-inception-v3");
  std::set<std::string> pairs;
  for (training::OperationIndex i = 0; i < graph.size(); ++i) {
    const training::TrainingOperation& operation = graph.at(i);
    if (operation.type != Conv2DBackpropFilter) continue;
    pairs.insert(graph.values()[graph.inputs(i)[0]].shape.text() + graph.values()[operation.first_output].shape.text());
  }
  CHECK(pairs.size() == 42);
}

TEST_CASE("the operations that Table VI of the runtime concurrency paper ranks are there", "[training]") {
  const std::map<std::string, std::vector<training::OperationType>> ranked{
      {"rtconc-resnet-50", {Conv2DBackpropFilter, InputConversion, Tile, Mul, ToTf}},
      {"rtconc-dcgan", {Conv2DBackpropInput, Conv2DBackpropFilter, ApplyAdam, BiasAddGrad, FusedBatchNorm}},
      {"rtconc-inception-v3", {AvgPool, Tile, Conv2DBackpropFilter, MaxPool, InputConversion}},
      {"rtconc-lstm", {SparseSoftmaxCrossEntropyWithLogits, BiasAddGrad, Mul, AddN, MatMul}}};
  for (const auto& [step, types] : ranked) {
    const training::TrainingGraph graph = graph_of(step);
    for (const training::OperationType type : types) {
      INFO(step << " " << training::name_of(type));
      CHECK(graph.count(type) > 0);
    }
  }
}

}  // namespace pimsweep::workload::training
