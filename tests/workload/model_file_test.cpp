// What a user sees who writes a model file with mistakes in it.
#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "reference_sizes.h"
#include "temporary_directory.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

std::vector<Problem> problems_of(const std::string& text, const std::string& name = "my.toml") {
  const TemporaryDirectory directory;
  directory.write(name, text);
  try {
    const ModelLibrary library(directory.path());
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

const std::string good = R"(family = "swin"

[common]
image_px = 224
image_channels = 3
classes = 10
patch = 4
window = 7

[[model]]
name = "small"
channels = [32, 64]
blocks = [1, 2]
heads = [1, 2]
mlp_ratio = [4, 2.5]
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

/// The only problem of a file made from the good one by one replacement.
Problem problem_of(const std::string& from, const std::string& to) {
  const std::vector<Problem> problems = problems_of(replaced(from, to));
  INFO(from << " -> " << to);
  REQUIRE(problems.size() == 1);
  return problems.front();
}

}  // namespace

TEST_CASE("a custom file works", "[models]") {
  const TemporaryDirectory directory;
  directory.write("my.toml", good);
  directory.write("notes.txt", "no model file");
  const ModelLibrary library(directory.path());
  REQUIRE(library.names() == std::vector<std::string>{"small"});
  const OperatorGraph graph = library.graph("small", 64);
  CHECK_THAT(graph.defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK(library.vision_transformer("small", 64).stages.at(1).mlp_ratio == 2.5);
}

TEST_CASE("the files that the documentation shows work", "[models][docs]") {
  const std::string page = read_text("docs/models.md");
  const std::string open = "```toml\n";
  int shown = 0;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    const TemporaryDirectory directory;
    directory.write("shown.toml", page.substr(at, page.find("```", at) - at));
    const ModelLibrary library(directory.path());
    for (const std::string& model : library.names()) {
      CHECK_THAT(library.graph(model, library.default_image_px(model)).defects(),
                 Catch::Equals(std::vector<std::string>{}));
      ++shown;
    }
  }
  CHECK(shown >= 2);
}

TEST_CASE("each mistake has its place and its remedy", "[models][errors]") {
  Problem problem = problem_of("window = 7", "windw = 7\nwindow = 7");
  CHECK(problem.where.line == 8);
  CHECK(problem.where.column == 1);
  CHECK_THAT(problem.where.file, EndsWith("my.toml"));
  CHECK_THAT(problem.message, Contains("unknown key 'windw' (did you mean 'window'?)"));

  problem = problem_of("window = 7\n", "");
  CHECK(problem.where.line == 9);
  CHECK_THAT(problem.message, Contains("model 'small' lacks 'window': an integer from 2 to 256 is needed"));

  problem = problem_of("window = 7", "window = \"7\"");
  CHECK(problem.where.line == 8);
  CHECK_THAT(problem.message, Contains("'window' is \"7\", but an integer from 2 to 256 is needed"));

  CHECK_THAT(problem_of("window = 7", "window = 7.5").message, Contains("'window' is 7.5"));
  CHECK_THAT(problem_of("window = 7", "window = -1").message, Contains("'window' is -1"));
  CHECK_THAT(problem_of("window = 7", "window = [7]").message, Contains("'window' is [7]"));
  CHECK_THAT(problem_of("window = 7", "window = {a = 1}").message, Contains("'window' must be a number"));
  CHECK_THAT(problem_of("blocks = [1, 2]", "blocks = [1]").message, Contains("a list of 2 integers"));
  CHECK_THAT(problem_of("blocks = [1, 2]", "blocks = [1, true]").message, Contains("'blocks' is [1, true]"));
  CHECK_THAT(problem_of("blocks = [1, 2]", "blocks = 2").message, Contains("'blocks' is 2"));
  CHECK_THAT(problem_of("channels = [32, 64]", "channels = []").message, Contains("'channels' is []"));
  CHECK_THAT(problem_of("heads = [1, 2]", "heads = [1, 3]").message, Contains("3 heads of stage 2 do not divide"));
  CHECK_THAT(problem_of("[4, 2.5]", "[4, 2.51]").message, Contains("not a whole number"));
  CHECK_THAT(problem_of("image_px = 224", "image_px = 4").message, Contains("must be at least 8"));
  CHECK_THAT(problem_of("family = \"swin\"", "family = \"swim\"").message,
             Contains("unknown family 'swim' (did you mean 'swin'?); families: vit, pvt"));
  CHECK_THAT(problem_of("family = \"swin\"\n", "").message, Contains("'family' is needed here"));
  CHECK_THAT(problem_of("name = \"small\"", "nam = \"small\"").message, Contains("'name' is needed here"));
  CHECK_THAT(problem_of("[common]", "[comon]\n[common]").message,
             Contains("unknown key 'comon' in a model file (did you mean 'common'?)"));
  CHECK_THAT(problem_of("window = 7", "window = ").message, !Contains("internal"));
}

TEST_CASE("relations between the parameters of other families are checked", "[models][errors]") {
  const auto changed = [](const std::string& family, const std::string& from, const std::string& to) {
    std::string text = read_text("configs/models/" + family + ".toml");
    text.replace(text.find(from), from.size(), to);
    const std::vector<Problem> problems = problems_of(text);
    REQUIRE(problems.size() == 1);
    return problems.front().message;
  };
  CHECK_THAT(changed("pvt", "reduction = [8, 4, 2, 1]", "reduction = [8, 4, 2, 2]"), Contains("last stage must be 1"));
  CHECK_THAT(changed("focal", "expand = 3", "expand = 7"), Contains("'expand' must be smaller than 'window'"));
  CHECK_THAT(changed("cswin", "patch = 4", "patch = 8"), Contains("'patch' must be 4"));
  CHECK_THAT(changed("cswin", "heads = [6, 12, 24, 24]", "heads = [9, 12, 24, 24]"), Contains("even number of heads"));
  CHECK_THAT(changed("vit", "channels = [768]", "channels = [768, 768]"), Contains("a list of 1 integers"));
}

TEST_CASE("all problems of all files come at once, each once, in order", "[models][errors]") {
  const TemporaryDirectory directory;
  // An unknown key of [common] concerns both models of the file but is reported once.
  std::string two = replaced("classes = 10", "classs = 10");
  two += good.substr(good.find("\n[[model]]"));
  two.replace(two.rfind("small"), 5, "large");
  directory.write("a.toml", two);
  std::string third = replaced("heads = [1, 2]", "heads = \"many\"");
  third.replace(third.find("small"), 5, "third");
  directory.write("b.toml", third);
  directory.write("c.toml", "family = [\n");
  try {
    const ModelLibrary library(directory.path());
    FAIL("no error");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 5);
    CHECK_THAT(error.problems()[0].message, Contains("unknown key 'classs' (did you mean 'classes'?)"));
    CHECK_THAT(error.problems()[1].message, Contains("model 'small' lacks 'classes'"));
    CHECK_THAT(error.problems()[2].message, Contains("model 'large' lacks 'classes'"));
    CHECK_THAT(error.problems()[3].where.file, EndsWith("b.toml"));
    CHECK_THAT(error.problems()[4].where.file, EndsWith("c.toml"));
  }
}

TEST_CASE("a name used twice is an error", "[models][errors]") {
  const TemporaryDirectory directory;
  directory.write("a.toml", good);
  directory.write("b.toml", good);
  CHECK_THROWS_WITH(ModelLibrary(directory.path()), Contains("b.toml:10:1: a second model is called 'small'"));
}

TEST_CASE("a missing or empty directory is an error", "[models][errors]") {
  CHECK_THROWS_WITH(ModelLibrary("/nowhere/models"), Contains("cannot read the model directory '/nowhere/models'"));
  const TemporaryDirectory directory;
  CHECK_THROWS_WITH(ModelLibrary(directory.path()), Contains("holds no .toml file"));
}

TEST_CASE("no damaged model file crashes or hangs", "[models][errors][property]") {
  std::mt19937_64 random(99);
  const std::string bytes = "[]{}=\"'#,.\n 0-9ae\\\xff";
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) text[random() % text.size()] = bytes[random() % bytes.size()];
    const TemporaryDirectory directory;
    directory.write("my.toml", text);
    try {
      const ModelLibrary library(directory.path());
      for (const std::string& model : library.names()) {
        CHECK_THAT(library.graph(model, library.default_image_px(model)).defects(),
                   Catch::Equals(std::vector<std::string>{}));
      }
    } catch (const InputError& error) {
      ++refused;
      CHECK_FALSE(error.problems().empty());
    } catch (const PointError&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("a model file of another format is refused with what to do, and nothing else of it is reported") {
  CHECK(problems_of("format = \"1.0\"\n" + good).empty());
  const std::vector<Problem> newer = problems_of("format = \"1.1\"\nnews = 1\n" + good);
  REQUIRE(newer.size() == 1);
  CHECK(newer[0].where.line == 1);
  CHECK_THAT(newer[0].message,
             Contains("the model file has format 1.1, and this program reads 1.0: use a newer pimsweep"));
  const std::vector<Problem> older = problems_of("format = \"0.9\"\n" + good);
  REQUIRE(older.size() == 1);
  CHECK_THAT(older[0].message, Contains("bring the file up to date"));
}

}  // namespace pimsweep::workload
