// Models of several folders, and what a broken file breaks.
#include "workload/definition_index.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "reference_sizes.h"
#include "temporary_directory.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

/// A [[model]] of one fully connected layer.
std::string model_of(const std::string& name, const std::string& layer) {
  return "[[model]]\nname = \"" + name + "\"\nimage_px = 8\nimage_channels = 1\nlayers = [\"" + layer + "\"]\n";
}

std::string file_of(const std::string& models) { return "family = \"layers\"\n" + models; }

std::string step_of(const std::string& name, const std::string& model) {
  return "[[model]]\nname = \"" + name + "\"\nmodel = \"" + model + "\"\n";
}

/// The head of a file of training steps, as the shipped files have it.
std::string step_head() {
  const std::string text = read_text("configs/training/heteropim.toml");
  return text.substr(0, text.find("[[model]]")) + "[[model]]\nname = \"first\"\nmodel = \"lenet-c\"\nbatch = 8\n";
}

}  // namespace

TEST_CASE("the first folder that has a name defines it", "[models][folders]") {
  const TemporaryDirectory mine;
  mine.write("my.toml", file_of(model_of("lenet-c", "fc 3") + model_of("net", "fc 5")));
  const ModelLibrary library(std::vector<ConfigFolder>{{mine.path()}, {"configs/models", true}});
  CHECK(library.names().front() == "lenet-c");
  CHECK(library.graph("lenet-c", 8).weights() == 192);
  CHECK(library.graph("net", 8).weights() == 320);
  CHECK(library.index().file_of("net")->path == mine.path() + "/my.toml");
  CHECK_FALSE(library.index().file_of("net")->is_installed);
  CHECK(library.index().file_of("swin-t")->is_installed);
  CHECK(std::count(library.names().begin(), library.names().end(), "lenet-c") == 1);
  // The other way around, the folder has only names of its own.
  const ModelLibrary other(std::vector<ConfigFolder>{{"configs/models", true}, {mine.path()}});
  CHECK(other.content("lenet-c") == ModelLibrary("configs/models").content("lenet-c"));
  CHECK(other.content("net") == library.content("net"));
  CHECK(other.index().problems().empty());
}

TEST_CASE("a broken file breaks only what uses it", "[models][folders][errors]") {
  const TemporaryDirectory mine;
  mine.write("a.toml", "family = [\n");
  mine.write("b.toml", file_of(model_of("good", "fc 3") + model_of("bad", "fx 3") + model_of("swin-t", "fy 3")));
  mine.write("c.toml", "colr = 3\n" + file_of(model_of("unsure", "fc 3")));
  const ModelLibrary library(std::vector<ConfigFolder>{{mine.path()}, {"configs/models", true}});
  CHECK(library.names().front() == "good");
  CHECK(library.graph("good", 8).weights() == 192);
  CHECK(library.graph("vgg-a", 224).weights() > 0);
  // All errors in the file of the name are reported; any other file with errors may be the one that should define a
  // name.
  CHECK_THROWS_WITH(library.graph("bad", 8), Contains("model 'bad' cannot be used because of errors in its file") &&
                                                 Contains("b.toml:11:12: ") && Contains("'fx'") && Contains("'fy'"));
  CHECK_THROWS_WITH(library.content("unsure"), Contains("unknown key 'colr'"));
  // What shadows a name shadows it even if it is broken: no other network is taken in silence.
  CHECK_THROWS_WITH(library.content("swin-t"), Contains("b.toml:16:12: "));
  CHECK_THROWS_WITH(library.content("goof"), Contains("unknown model 'goof' (did you mean 'good'?)") &&
                                                 Contains("looked for in " + mine.path() + ", configs/models") &&
                                                 Contains("not read because of errors: " + mine.path() + "/a.toml:") &&
                                                 Contains(mine.path() + "/c.toml:1:1"));
  CHECK(library.index().problems().problems().size() == 4);
}

TEST_CASE("models of installed folders are read when they are used", "[models][folders][errors]") {
  const TemporaryDirectory shipped;
  shipped.write("a.toml", file_of(model_of("good", "fc 3") + model_of("bad", "fx 3")));
  shipped.write("b.toml", "family = \"dense\"\n" + model_of("odd", "fc 3"));
  shipped.write("c.toml", "colr = 3\n" + file_of(model_of("unsure", "fc 3")));
  const std::vector<ConfigFolder> folders{{shipped.path(), true}};
  const ModelLibrary library(folders);
  // Until they are read, definitions are taken to be sound; what is wrong around them shows at once.
  CHECK(library.names() == Names{"good", "bad", "odd"});
  CHECK(library.vision_transformers().empty());
  CHECK(library.graph("good", 8).weights() == 192);
  CHECK_THROWS_WITH(library.graph("bad", 8),
                    Contains("model 'bad' cannot be used because of errors in its file") && Contains("a.toml:11:12: "));
  CHECK_THROWS_WITH(library.content("odd"), Contains("unknown family 'dense'"));
  CHECK_THROWS_WITH(library.content("bat"), Contains("did you mean 'bad'?") && Contains("a.toml:11:12") &&
                                                Contains("b.toml:1:10") && Contains("c.toml:1:1"));
  CHECK(library.index().problems().problems().size() == 3);
  const ModelLibrary read(folders, DefinitionIndex::Installed::at_once);
  CHECK(read.names() == Names{"good"});
  CHECK(read.index().problems().problems().size() == 3);
}

TEST_CASE("threads that use a model at the same time read it once", "[models][folders]") {
  const TemporaryDirectory shipped;
  std::string models;
  for (int i = 0; i < 40; ++i) models += model_of("net-" + std::to_string(i), "fc " + std::to_string(i + 1));
  shipped.write("a.toml", file_of(models));
  const ModelLibrary library(std::vector<ConfigFolder>{{shipped.path(), true}});
  std::array<std::vector<std::int64_t>, 4> weights;
  std::array<std::thread, 4> threads;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    threads[thread] = std::thread([&library, &own = weights[thread]] {
      for (const std::string& name : library.names()) own.push_back(library.graph(name, 8).weights());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 40; ++i) {
    for (const std::vector<std::int64_t>& own : weights) CHECK(own[i] == 64 * static_cast<std::int64_t>(i + 1));
  }
}

TEST_CASE("families say what their models are made of", "[models]") {
  const ModelLibrary library("configs/models");
  const Names transformers = library.vision_transformers();
  const Names decoders = library.decoders();
  const auto is_among = [](const std::string& name, const Names& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : library.names()) {
    INFO(name);
    const bool has_tokens = library.own_size(name).tokens != 0;
    if (is_among(name, transformers)) {
      CHECK_FALSE(has_tokens);
      CHECK_FALSE(library.vision_transformer(name, library.default_image_px(name)).stages.empty());
    } else if (!has_tokens) {
      CHECK_THROWS_AS(library.vision_transformer(name, library.default_image_px(name)), PointError);
    }
    if (is_among(name, decoders)) {
      CHECK_NOTHROW(library.decoder(name));
    } else {
      CHECK_THROWS_AS(library.decoder(name), PointError);
    }
  }
}

TEST_CASE("of two definitions in one folder none is taken in silence", "[models][folders][errors]") {
  const TemporaryDirectory mine;
  mine.write("a.toml", file_of(model_of("net", "fc 3") + model_of("other", "fc 3")));
  mine.write("b.toml", file_of(model_of("net", "fc 4") + model_of("third", "fc 3")));
  const ModelLibrary library(std::vector<ConfigFolder>{{mine.path()}});
  CHECK(library.names() == Names{"other", "third"});
  CHECK_THROWS_WITH(library.content("net"), Contains("b.toml:2:1: a second model is called 'net'"));
}

TEST_CASE("a folder that cannot be read is reported, and no model at all is an error", "[models][folders][errors]") {
  const TemporaryDirectory empty;
  const ModelLibrary library(std::vector<ConfigFolder>{{"/nowhere/models"}, {"configs/models", true}});
  CHECK_THROWS_WITH(library.content("none"), Contains("not read because of errors: /nowhere/models"));
  CHECK_THROWS_WITH(ModelLibrary(std::vector<ConfigFolder>{{empty.path()}}),
                    "no models found: looked for in " + empty.path());
}

TEST_CASE("definitions that results keep come before those of folders", "[models][folders]") {
  const std::string text = file_of(model_of("swin-t", "fc 3") + model_of("vgg-a", "fc 3") + model_of("gone", "fc 3"));
  ConfigFolder kept{"out.h5"};
  kept.kept = {{"swin-t", text}, {"gone", text}};
  const ModelLibrary library(std::vector<ConfigFolder>{kept, {"configs/models", true}});
  CHECK(library.graph("swin-t", 8).weights() == 192);
  CHECK(library.graph("gone", 8).weights() == 192);
  // The file defines it too, but the results did not take it from there.
  CHECK(library.graph("vgg-a", 224).weights() > 192);
}

TEST_CASE("training steps are found like models", "[training][folders]") {
  const TemporaryDirectory models;
  models.write("a.toml", file_of(model_of("mine", "fc 10") + model_of("broken", "fx 10")));
  const TemporaryDirectory mine;
  mine.write("a.toml", step_head() + step_of("heteropim-alexnet", "lenet-c") + "batch = 2\n" +
                           step_of("second", "broken") + "batch = 2\n" + step_of("third", "mine") + "batch = 2\n");
  mine.write("b.toml", "family = 3\n");
  const ModelLibrary library(std::vector<ConfigFolder>{{models.path()}, {"configs/models", true}});
  const training::TrainingLibrary steps(std::vector<ConfigFolder>{{mine.path()}, {"configs/training", true}}, library);
  CHECK(steps.find("heteropim-alexnet").model == "lenet-c");
  CHECK(steps.find("heteropim-vgg-19").model == "vgg-e");
  CHECK(steps.find("third:inference").model == "mine");
  CHECK(steps.index().file_of("first")->path == mine.path() + "/a.toml");
  CHECK_THROWS_WITH(steps.find("second"), Contains("training step 'second' cannot be used because of errors") &&
                                              Contains("model 'broken' cannot be used because of errors in its file") &&
                                              Contains("'fx'"));
  CHECK_THROWS_WITH(steps.find("thirt"), Contains("did you mean 'third'?") &&
                                             Contains("looked for in " + mine.path()) &&
                                             Contains(mine.path() + "/b.toml:1:10"));
}

}  // namespace pimsweep::workload
