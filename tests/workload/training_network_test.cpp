#include "workload/training_network.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "installed_models.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload {
namespace {

OperatorGraph graph_of(const std::string& model) { return library().graph(model, library().default_image_px(model)); }

std::vector<std::string> names(const TrainingNetwork& network) {
  std::vector<std::string> result;
  for (const TrainingNode& node : network.nodes) result.push_back(node.name);
  return result;
}

const TrainingNode& node_named(const TrainingNetwork& network, const std::string& name) {
  const auto found = std::find_if(network.nodes.begin(), network.nodes.end(),
                                  [&](const TrainingNode& node) { return node.name == name; });
  REQUIRE(found != network.nodes.end());
  return *found;
}

}  // namespace

TEST_CASE("a plain network is a chain of its weighted layers, with pooled tensors between them") {
  const TrainingNetwork network = training_network(graph_of("vgg-a"));
  CHECK(names(network) == std::vector<std::string>{"conv1_1", "conv2_1", "conv3_1", "conv3_2", "conv4_1", "conv4_2",
                                                   "conv5_1", "conv5_2", "fc1", "fc2", "fc3"});
  CHECK(network.is_chain());
  CHECK(network.layers() == 11);
  const TrainingNode& conv = node_named(network, "conv2_1");
  CHECK(conv.kind == TrainingNode::Kind::convolution);
  CHECK(conv.weights == 3 * 3 * 64 * 128);
  CHECK(conv.input == 112 * 112 * 64);
  CHECK(conv.product_output == 112 * 112 * 128);
  CHECK(conv.output == 56 * 56 * 128);
  CHECK(conv.macs == conv.weights * 112 * 112);
  CHECK(conv.input_channels == 64);
  CHECK(conv.output_channels == 128);
  CHECK(conv.product_height == 112);
  CHECK(conv.product_width == 112);
  CHECK(network.transitions[1].elements == 56 * 56 * 128);
}

TEST_CASE("where a convolution shrinks its map, its work at the input's size is more") {
  const TrainingNetwork network = training_network(graph_of("lenet-c"));
  const TrainingNode& conv = node_named(network, "conv1");
  CHECK(conv.macs == 5 * 5 * 20 * 24 * 24);
  CHECK(conv.macs_at_input_size == 5 * 5 * 20 * 28 * 28);
  CHECK(node_named(network, "fc1").macs_at_input_size == 800 * 500);
}

TEST_CASE("sums join and tensors with several readers fork at junctions") {
  GraphBuilder builder;
  const OperatorId image = builder.input({4, 8}, "tokens");
  const OperatorId a = builder.linear(image, 16, "a");
  const OperatorId norm = builder.layer_norm(a, "norm");
  const OperatorId b = builder.linear(norm, 16, "b");
  const OperatorId sum = builder.add(norm, b, "sum");
  builder.linear(sum, 2, "c");
  const TrainingNetwork network = training_network(builder.take());
  // a, fork of norm, b, sum, c
  REQUIRE(network.nodes.size() == 5);
  CHECK(network.layers() == 3);
  CHECK_FALSE(network.nodes[1].is_layer());
  CHECK_FALSE(network.nodes[3].is_layer());
  CHECK(network.nodes[3].output == 4 * 16);
  const auto pairs = [&] {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const Transition& t : network.transitions) result.emplace_back(t.from, t.to);
    return result;
  }();
  CHECK(pairs == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 4}});
}

TEST_CASE("weights and multiply-accumulates of every model are conserved, and nodes follow what they read") {
  for (const std::string& model : library().names()) {
    const OperatorGraph graph = graph_of(model);
    const TrainingNetwork network = training_network(graph);
    CAPTURE(model);
    REQUIRE(network.weights() == graph.weights());
    std::int64_t weighted_macs = 0;
    for (OperatorId id = 0; id < graph.size(); ++id) {
      if (graph.at(id).weights > 0) weighted_macs += graph.at(id).macs();
    }
    std::int64_t macs = 0;
    for (const TrainingNode& node : network.nodes) macs += node.macs;
    REQUIRE(macs == weighted_macs);
    std::size_t last_to = 0;
    for (const Transition& t : network.transitions) {
      REQUIRE(t.from < t.to);
      REQUIRE(t.to >= last_to);
      REQUIRE(t.elements > 0);
      last_to = t.to;
    }
  }
}

}  // namespace pimsweep::workload
