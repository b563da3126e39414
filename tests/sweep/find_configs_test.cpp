#include "sweep/find_configs.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::test;
using namespace pimsweep;
using namespace pimsweep::systems;

namespace {

/// The paths in the order of the search; the installed one has a '*'.
std::vector<std::string> chosen(const ConfigPlaces& places) {
  std::vector<std::string> paths;
  for (const ConfigFolder& folder : choose_configs(places))
    paths.push_back(folder.path + (folder.is_installed ? "*" : ""));
  return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("Folders of the environment are searched before the installed one") {
  const Workplace place;
  for (const char* folder : {"installed", "source", "mine", "ours"}) place.write(std::string(folder) + "/models/x", "");
  const std::string installed = place.path("installed");
  const std::string source = place.path("source");
  const std::string mine = place.path("mine");
  const std::string ours = place.path("ours");
  CHECK(chosen({{}, installed, source}) == Paths{installed + "*"});
  CHECK(chosen({{}, place.path("none"), source}) == Paths{source + "*"});
  CHECK(chosen({{}, installed, place.path("none")}) == Paths{installed + "*"});
  CHECK(chosen({mine, installed, source}) == Paths{mine, installed + "*"});
  CHECK(chosen({mine + "::" + ours + ":", installed, source}) == Paths{mine, ours, installed + "*"});
  CHECK(chosen({mine, place.path("none"), ""}) == Paths{mine});
  CHECK(chosen({"", installed, source}) == Paths{installed + "*"});
  // The installed folder may be named itself, however it is written, to be searched earlier.
  CHECK(chosen({place.path("mine/../installed") + ":" + ours, installed, source}) ==
        Paths{place.path("mine/../installed") + "*", ours});
}

TEST_CASE("Places without configs are named") {
  const Workplace place;
  place.write("models/x.toml", "");
  CHECK_THROWS_WITH(
      choose_configs({{}, "/none/a", "/none/b"}),
      "the folder of hardware and model files is neither /none/a nor /none/b; set PIMSWEEP_CONFIGS to it");
  CHECK_THROWS_WITH(choose_configs({place.path("configs") + ":/none/c", "/none/a", "/none/b"}),
                    "PIMSWEEP_CONFIGS names '/none/c', which is not a directory");
  CHECK_THROWS_WITH(choose_configs({place.path("models"), "/none/a", "/none/b"}),
                    Catch::Contains("models', which does not have any of the folders models, hardware and training"));
}

TEST_CASE("Published values lie beside the first folder of configurations that has them") {
  const Workplace place;
  place.write("a/configs/models/x", "");
  place.write("b/configs/models/x", "");
  place.write("b/results/published/x", "");
  const ConfigFolder a{place.path("a/configs")};
  const ConfigFolder b{place.path("b/configs/"), true};
  CHECK(find_published({a, b}) == place.path("b/results/published"));
  CHECK(find_published({a}) == place.path("a/results/published"));
}

TEST_CASE("PIMSWEEP_CONFIGS says where configs are") {
  const Workplace place;
  const char* before = std::getenv("PIMSWEEP_CONFIGS");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("PIMSWEEP_CONFIGS", place.path("configs").c_str(), 1);
  CHECK(find_configs().front().path == place.path("configs"));
  CHECK(all_folders(find_configs()).hardware.front().path == place.path("configs/hardware"));
  if (before == nullptr) {
    ::unsetenv("PIMSWEEP_CONFIGS");
  } else {
    ::setenv("PIMSWEEP_CONFIGS", saved.c_str(), 1);
  }
}
