// The dependences between branches that Figure 9 of Allspark shows, at 224 px in stage 2, and laws on all sizes.
#include "workload/branch_graph.h"

#include <boost/graph/connected_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <catch2/catch.hpp>
#include <map>

#include "installed_models.h"

namespace pimsweep::workload {

namespace {

/// The interacting kind of blocks of a stage (from 1), or the first one.
EncoderBlocks interacting(const TransformerStage& stage) {
  for (const EncoderBlocks& blocks : stage.blocks) {
    if (blocks.interaction.kind != InteractionKind::none) return blocks;
  }
  return stage.blocks.front();
}

BranchGraph dependencies(const std::string& model, std::int64_t image_px, std::size_t stage) {
  const VisionTransformer transformer = library().vision_transformer(model, image_px);
  return branch_dependencies(transformer.stages.at(stage - 1), interacting(transformer.stages.at(stage - 1)));
}

std::map<std::size_t, std::int64_t> given(const BranchGraph& graph, std::size_t branch) {
  std::map<std::size_t, std::int64_t> words;
  for (const auto& edge : boost::make_iterator_range(boost::out_edges(branch, graph))) {
    words[boost::target(edge, graph)] = graph[edge].words;
  }
  return words;
}

std::int64_t received(const BranchGraph& graph, std::size_t branch) {
  std::int64_t words = 0;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(branch, graph))) words += graph[edge].words;
  return words;
}

}  // namespace

TEST_CASE("Swin: a window meets the three shifted windows that cut it, cyclically") {
  const BranchGraph graph = dependencies("swin-b", 224, 2);
  REQUIRE(boost::num_vertices(graph) == 16);
  // Windows of 7, shifted by 3, C = 256: strips of 3 x 4 and 4 x 3 tokens and a corner of 3 x 3.
  CHECK(given(graph, 5) == std::map<std::size_t, std::int64_t>{{1, 12 * 256}, {4, 12 * 256}, {0, 9 * 256}});
  CHECK(given(graph, 0) == std::map<std::size_t, std::int64_t>{{12, 12 * 256}, {3, 12 * 256}, {15, 9 * 256}});
  for (std::size_t branch = 0; branch < 16; ++branch) CHECK(received(graph, branch) == 33 * 256);
}

TEST_CASE("Focal: keys and values of the surroundings and of the pooled windows") {
  const BranchGraph graph = dependencies("focal-b", 224, 2);
  REQUIRE(boost::num_vertices(graph) == 16);
  const std::map<std::size_t, std::int64_t> words = given(graph, 5);
  // 2 C = 512; strips of 3 x 7, corners of 3 x 3, and one pooled token within two windows.
  CHECK(words.at(1) == 512 * 22);
  CHECK(words.at(0) == 512 * 10);
  CHECK(words.at(7) == 512);
  CHECK(words.size() == 15);
}

TEST_CASE("Twins and CSWin need data of all branches, which go round a ring; ViT and PVT have one branch") {
  for (const std::string model : {"twins-svt-b", "cswin-b"}) {
    const BranchGraph graph = dependencies(model, 224, 2);
    const std::size_t n = boost::num_vertices(graph);
    CHECK(n == (model == "cswin-b" ? 14 : 16));
    CHECK(boost::num_edges(graph) == n * (n - 1));
    const VisionTransformer transformer = library().vision_transformer(model, 224);
    const BranchGraph ring = branch_transfers(transformer.stages[1], interacting(transformer.stages[1]));
    CHECK(boost::num_edges(ring) == n);
    for (std::size_t branch = 0; branch < n; ++branch) CHECK(given(ring, branch).contains((branch + 1) % n));
  }
  // Keys and values of 7 x 7 sub-sampled tokens, C = 192, all but the receiver's own 3 or 4.
  const VisionTransformer twins = library().vision_transformer("twins-svt-b", 224);
  const BranchGraph ring = branch_transfers(twins.stages[1], interacting(twins.stages[1]));
  CHECK(given(ring, 0).at(1) == (49 - 3) * 2 * 192);
  for (const std::string model : {"vit-b", "pvt-m"}) {
    for (const TransformerStage& stage : library().vision_transformer(model, 640).stages) {
      CHECK(boost::num_vertices(branch_dependencies(stage, interacting(stage))) == 1);
      CHECK(interacting(stage).interaction.times == 0);
    }
  }
}

TEST_CASE("no branch hands over more than it has, and no graph falls apart") {
  for (const std::string model : {"swin-t", "focal-t", "twins-svt-s", "cswin-t"}) {
    for (const std::int64_t px : {224, 300, 480}) {
      for (const TransformerStage& stage : library().vision_transformer(model, px).stages) {
        const EncoderBlocks blocks = interacting(stage);
        if (blocks.interaction.kind == InteractionKind::none) continue;
        INFO(model << ", " << px << " px, " << stage.height << " tokens");
        const BranchGraph graph = branch_dependencies(stage, blocks);
        REQUIRE(boost::num_vertices(graph) == static_cast<std::size_t>(blocks.branches));
        bool empty = false;
        std::int64_t all = 0;
        std::int64_t over_ring = 0;
        for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
          empty = empty || graph[edge].words <= 0 || boost::source(edge, graph) == boost::target(edge, graph);
          all += graph[edge].words;
          const std::size_t n = boost::num_vertices(graph);
          const std::size_t way = (boost::target(edge, graph) + n - boost::source(edge, graph)) % n;
          over_ring += graph[edge].words * static_cast<std::int64_t>(way);
        }
        REQUIRE(!empty);
        if (blocks.interaction.kind == InteractionKind::shifted_windows) {
          // Every token goes at most once.
          REQUIRE(all <= stage.height * stage.width * stage.channels);
        }
        const BranchGraph transfers = branch_transfers(stage, blocks);
        std::int64_t moved = 0;
        for (const auto& edge : boost::make_iterator_range(boost::edges(transfers))) moved += transfers[edge].words;
        // On the ring a square of a stripe passes as many links as it has to; keys and values once for everybody.
        REQUIRE(moved == (blocks.interaction.kind == InteractionKind::crossed_stripes ? over_ring : all));
        std::vector<std::size_t> component(boost::num_vertices(graph));
        boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> undirected(boost::num_vertices(graph));
        for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
          boost::add_edge(boost::source(edge, graph), boost::target(edge, graph), undirected);
        }
        REQUIRE(boost::connected_components(undirected, component.data()) == 1);
      }
    }
  }
}

}  // namespace pimsweep::workload
