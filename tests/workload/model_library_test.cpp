#include "workload/model_library.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "base/error.h"
#include "reference_sizes.h"
#include "temporary_directory.h"

namespace pimsweep::workload {

using Catch::Matchers::Contains;

TEST_CASE("the library names its models in order of family and size", "[models]") {
  const ModelLibrary library("configs/models");
  CHECK(library.vision_transformers() ==
        std::vector<std::string>{"cswin-t", "cswin-s", "cswin-b", "cswin-l",     "focal-t",     "focal-s",
                                 "focal-b", "pvt-t",   "pvt-s",   "pvt-m",       "pvt-l",       "swin-t",
                                 "swin-s",  "swin-b",  "swin-l",  "twins-svt-s", "twins-svt-b", "twins-svt-l",
                                 "vit-b",   "vit-l",   "vit-h"});
  const std::vector<std::string>& names = library.names();
  const std::vector<std::string> vgg{"vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e"};
  CHECK(std::search(names.begin(), names.end(), vgg.begin(), vgg.end()) != names.end());
  CHECK(library.family("vgg-a") == "layers");
  CHECK(library.family("twins-svt-b") == "twins-svt");
  CHECK(library.default_image_px("swin-t") == 224);
  const VisionTransformer transformer = library.vision_transformer("pvt-m", 384);
  CHECK(transformer.name == "pvt-m");
  CHECK(transformer.family == "pvt");
  CHECK(transformer.image_px == 384);
}

TEST_CASE("images have pixels, language models tokens, and none is the model's own size", "[models]") {
  const ModelLibrary library("configs/models");
  CHECK(library.input_size("swin-t", {}) == 224);
  CHECK(library.input_size("swin-t", {640, 0}) == 640);
  CHECK(library.input_size("bert-base", {}) == library.default_image_px("bert-base"));
  CHECK(library.input_size("bert-base", {0, 128}) == 128);
  CHECK_THROWS_WITH(library.input_size("swin-t", {0, 64}), Contains("set axis 'image_px' instead of 'tokens'"));
  CHECK_THROWS_WITH(library.input_size("bert-base", {224, 0}), Contains("set axis 'tokens' instead of 'image_px'"));
  CHECK_THROWS_AS(library.input_size("bert-base", {224, 64}), PointError);
  CHECK_THROWS_AS(library.input_size("no-such-model", {}), InputError);
}

TEST_CASE("an unknown model gets the nearest name", "[models][errors]") {
  const ModelLibrary library("configs/models");
  CHECK_THROWS_WITH(library.graph("swin-x", 224), Contains("unknown model 'swin-x'") && Contains("did you mean"));
  CHECK_THROWS_AS(library.content("nothing like it"), InputError);
}

TEST_CASE("image sizes without meaning are failed points that name the nearest good one", "[models][errors]") {
  const ModelLibrary library("configs/models");
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  for (const std::string& model : library.names()) {
    for (const std::int64_t px : {std::int64_t{-224}, std::int64_t{0}, std::int64_t{20000}, huge, -huge}) {
      CHECK_THROWS_AS(library.graph(model, px), PointError);
      CHECK_THROWS_AS(library.vision_transformer(model, px), PointError);
    }
  }
  for (const std::string& model : library.vision_transformers()) {
    CHECK_THROWS_AS(library.graph(model, 1), PointError);
    // The smallest size builds.
    CHECK_THAT(library.graph(model, 32).defects(), Catch::Equals(std::vector<std::string>{}));
  }
  CHECK_THROWS_WITH(library.vision_transformer("swin-b", 3),
                    Contains("swin-b takes images of 32 to 16384 px") && Contains("the nearest size to 3 is 32"));
}

TEST_CASE("only visual Transformers have stages and branches", "[models][errors]") {
  const ModelLibrary library("configs/models");
  CHECK_THROWS_WITH(library.vision_transformer("vgg-d", 224),
                    Contains("vgg-d (family layers) has no stages and branches") && Contains("cswin-t, cswin-s"));
}

TEST_CASE("every model builds soundly at its default size and larger", "[models]") {
  const ModelLibrary library("configs/models");
  for (const std::string& model : library.names()) {
    std::int64_t macs = 0;
    const std::int64_t px = library.default_image_px(model);
    for (const std::int64_t more : {0, 1, 2, 17}) {
      INFO(model << " at " << px + more << " px");
      const OperatorGraph graph = library.graph(model, px + more);
      CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
      CHECK(graph.parameters() >= graph.weights());
      CHECK(graph.macs() >= macs);
      macs = graph.macs();
    }
  }
}

TEST_CASE("the smallest and the largest inputs build soundly or are failed points", "[models]") {
  const ModelLibrary library("configs/models");
  for (const std::string& model : library.names()) {
    for (const std::int64_t px : {1, 2, 3, 5, 8, 13, 31, 64, 75, 1024, 16384}) {
      INFO(model << " at " << px << " px");
      std::vector<std::string> defects;
      try {
        defects = library.graph(model, px).defects();
      } catch (const PointError& error) {
        CHECK_THAT(error.what(), Contains("takes images of") || Contains("takes sequences of"));
      }
      CHECK_THAT(defects, Catch::Equals(std::vector<std::string>{}));
    }
  }
  // Where windows reach beyond the edge, a single pixel is enough; where they do not, the chain of windows tells.
  CHECK(library.graph("resnet-50", 1).macs() > 0);
  CHECK_THROWS_WITH(library.graph("vgg-d", 31), Contains("takes images of 32 to 16384 px"));
  CHECK_THROWS_WITH(library.graph("lenet-c", 15), Contains("takes images of 16 to 16384 px"));
}

TEST_CASE("content is the definition, not its comments or order", "[models]") {
  const std::string swin = read_text("configs/models/swin.toml");
  const auto contents = [](const std::string& text) {
    const TemporaryDirectory directory;
    directory.write("swin.toml", text);
    return ModelLibrary(directory.path()).content("swin-b");
  };
  const Hash128 original = contents(swin);
  CHECK(original == ModelLibrary("configs/models").content("swin-b"));
  CHECK(contents("# another comment\n" + swin) == original);
  std::string moved = swin;
  const std::string line = "window = 7\n";
  moved.erase(moved.find(line), line.size());
  moved.insert(moved.find("patch = 4"), line);
  CHECK(contents(moved) == original);
  std::string changed = swin;
  changed.replace(changed.find(line), line.size(), "window = 8\n");
  CHECK(contents(changed) != original);

  const ModelLibrary library("configs/models");
  std::set<Hash128> distinct;
  for (const std::string& model : library.names()) distinct.insert(library.content(model));
  CHECK(distinct.size() == library.names().size());
}

TEST_CASE("the same model gives the same graph", "[models]") {
  const ModelLibrary library("configs/models");
  const OperatorGraph first = library.graph("focal-s", 640);
  const OperatorGraph second = library.graph("focal-s", 640);
  REQUIRE(first.size() == second.size());
  CHECK(first.topological_order() == second.topological_order());
  for (OperatorId id = 0; id < first.size(); ++id) {
    CHECK(first.at(id).name == second.at(id).name);
    CHECK(first.at(id).macs() == second.at(id).macs());
    CHECK(first.inputs(id) == second.inputs(id));
  }
}

}  // namespace pimsweep::workload
