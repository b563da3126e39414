// Laws that tie the two views of a model, the operator graph and its stages and branches, to each other and to papers.
#include "workload/vision_transformer.h"

#include <catch2/catch.hpp>
#include <map>

#include "installed_models.h"

namespace pimsweep::workload {

namespace {

double graph_encoder_macs(const OperatorGraph& graph) {
  std::int64_t macs = graph.macs();
  for (OperatorId id = 0; id < graph.size(); ++id) {
    if (graph.at(id).role == "classifier") macs -= graph.at(id).macs();
  }
  return static_cast<double>(macs);
}

std::vector<std::int64_t> branches(const std::string& model, std::int64_t image_px) {
  std::vector<std::int64_t> counts;
  for (const TransformerStage& stage : library().vision_transformer(model, image_px).stages) {
    counts.push_back(stage.blocks.front().branches);
  }
  return counts;
}

EncoderBlocks blocks(const std::string& model, std::int64_t image_px, std::size_t stage, std::size_t kind = 0) {
  return library().vision_transformer(model, image_px).stages.at(stage).blocks.at(kind);
}

}  // namespace

TEST_CASE("every model builds soundly at every size", "[models]") {
  for (const std::string& model : library().vision_transformers()) {
    double macs = 0;
    std::int64_t padded_tokens = 0;
    for (std::int64_t px = 224; px <= 960; px += 32) {
      INFO(model << " at " << px << " px");
      const OperatorGraph graph = library().graph(model, px);
      CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
      const VisionTransformer transformer = library().vision_transformer(model, px);
      const double encoder = encoder_macs(transformer.stages);
      // Padding only adds work to the view by branches.
      CHECK(encoder >= graph_encoder_macs(graph));
      CHECK(graph_encoder_macs(graph) >= macs);
      macs = graph_encoder_macs(graph);
      std::int64_t tokens = 0;
      std::int64_t counted_blocks = 0;
      for (const TransformerStage& stage : transformer.stages) {
        for (const EncoderBlocks& kind : stage.blocks) {
          tokens += kind.count * kind.branches * kind.tokens;
          counted_blocks += kind.count;
          CHECK(kind.branches * kind.tokens >= stage.height * stage.width);
        }
      }
      CHECK(tokens >= padded_tokens);
      padded_tokens = tokens;
      // Each block of the graph has exactly one second residual sum.
      std::int64_t graph_blocks = 0;
      for (OperatorId id = 0; id < graph.size(); ++id) graph_blocks += graph.at(id).role == "residual2" ? 1 : 0;
      CHECK(counted_blocks == graph_blocks);
    }
  }
}

TEST_CASE("the work of all branches is the work of the graph where nothing is padded", "[models]") {
  for (const std::string& model : library().vision_transformers()) {
    for (const std::int64_t px : {224, 448, 896}) {
      INFO(model << " at " << px << " px");
      const double graph = graph_encoder_macs(library().graph(model, px));
      const double stages = encoder_macs(library().vision_transformer(model, px).stages);
      CHECK(stages == Approx(graph).epsilon(1e-12));
    }
  }
}

TEST_CASE("models at sizes that no patch divides still hang together", "[models]") {
  for (const std::string& model : library().vision_transformers()) {
    for (const std::int64_t px : {225, 250, 333, 640, 767, 1001}) {
      INFO(model << " at " << px << " px");
      CHECK_THAT(library().graph(model, px).defects(), Catch::Equals(std::vector<std::string>{}));
    }
  }
}

TEST_CASE("Swin's branches are those that Allspark states", "[models]") {
  // Allspark, Sec. III-A.
  CHECK(branches("swin-b", 960) == std::vector<std::int64_t>{1225, 324, 81, 25});
  // From ceil(side / 7)^2; the capacities of Allspark, Table V cover them.
  CHECK(branches("swin-b", 640) == std::vector<std::int64_t>{529, 144, 36, 9});
}

TEST_CASE("a block of Swin or ViT holds 12 C^2 weights", "[models]") {
  // Allspark, Sec. III-A: (3 + 1 + 2 x 4) C^2.
  for (const char* model : {"swin-t", "swin-s", "swin-b", "swin-l", "vit-b", "vit-l", "vit-h"}) {
    const OperatorGraph graph = library().graph(model, 640);
    const VisionTransformer transformer = library().vision_transformer(model, 640);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> weights;
    for (OperatorId id = 0; id < graph.size(); ++id) {
      const Operator& node = graph.at(id);
      if (node.block > 0) weights[{node.stage, node.block}] += node.weights;
    }
    for (const auto& [place, count] : weights) {
      const std::int64_t channels = transformer.stages.at(static_cast<std::size_t>(place.first - 1)).channels;
      CHECK(count == 12 * channels * channels);
    }
  }
}

TEST_CASE("branches of each family", "[models]") {
  SECTION("ViT is one branch of patches and a class token; an incomplete patch is cropped") {
    const EncoderBlocks vit = blocks("vit-h", 640, 0);
    CHECK(vit.branches == 1);
    CHECK(vit.tokens == 45 * 45 + 1);
    CHECK(vit.kv_tokens == vit.tokens);
  }
  SECTION("PVT attends to sub-sampled keys; the class token joins in stage 4") {
    const EncoderBlocks first = blocks("pvt-s", 640, 0);
    CHECK(first.tokens == 160 * 160);
    CHECK(first.kv_tokens == 20 * 20);
    CHECK(first.reduction == 8);
    CHECK(blocks("pvt-s", 640, 3).tokens == 20 * 20 + 1);
    CHECK(blocks("pvt-s", 640, 3).kv_tokens == 20 * 20 + 1);
  }
  SECTION("Focal sees 13 x 13 tokens and the pooled windows") {
    CHECK(blocks("focal-b", 640, 0).kv_tokens == 13 * 13 + 7 * 7);
    CHECK(blocks("focal-b", 640, 2).kv_tokens == 13 * 13 + 3 * 3);
    CHECK(blocks("focal-b", 640, 2).kv_projected == 50);
    // A map of a single window has no surroundings.
    CHECK(blocks("focal-b", 224, 3).kv_tokens == 7 * 7 + 1);
  }
  SECTION("Twins alternates windows and global attention") {
    const EncoderBlocks local = blocks("twins-svt-b", 640, 2, 0);
    const EncoderBlocks global = blocks("twins-svt-b", 640, 2, 1);
    CHECK(local.count == 9);
    CHECK(local.kv_tokens == 49);
    CHECK(global.count == 9);
    CHECK(global.branches == 36);
    CHECK(global.kv_tokens == 20 * 20);
    CHECK(global.kv_projected == 12);
    CHECK(global.reduction == 2);
  }
  SECTION("CSWin's branches are stripes") {
    CHECK(branches("cswin-b", 640) == std::vector<std::int64_t>{160, 40, 6, 3});
    CHECK(blocks("cswin-b", 640, 1).tokens == 2 * 80);
    CHECK(blocks("cswin-b", 640, 3).tokens == 7 * 20);
  }
}

TEST_CASE("patch embedding and merging say what they project from", "[models]") {
  const auto inputs = [](const std::string& model) {
    std::vector<std::int64_t> counts;
    for (const auto& stage : library().vision_transformer(model, 224).stages) counts.push_back(stage.merge_inputs);
    return counts;
  };
  CHECK(inputs("swin-b") == std::vector<std::int64_t>{48, 512, 1024, 2048});
  CHECK(inputs("cswin-t") == std::vector<std::int64_t>{147, 576, 1152, 2304});
  CHECK(inputs("vit-h") == std::vector<std::int64_t>{588});
}

}  // namespace pimsweep::workload
