#include "sweep/config_dir.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::test;
using namespace pimsweep;
using namespace pimsweep::systems;

TEST_CASE("The first folder of configs that exists is taken") {
  const Workplace place;
  place.write("installed/x", "");
  place.write("source/x", "");
  const std::string installed = place.path("installed");
  const std::string source = place.path("source");
  CHECK(choose_config_dir({place.path("configs"), installed, source}) == place.path("configs"));
  CHECK(choose_config_dir({{}, installed, source}) == installed);
  CHECK(choose_config_dir({{}, place.path("none"), source}) == source);
  CHECK(choose_config_dir({{}, installed, place.path("none")}) == installed);
}

TEST_CASE("Places without configs are named") {
  CHECK_THROWS_WITH(
      choose_config_dir({{}, "/none/a", "/none/b"}),
      "the folder of hardware and model files is neither /none/a nor /none/b; set PIMSWEEP_CONFIGS to it");
  CHECK_THROWS_WITH(choose_config_dir({"/none/c", "/none/a", "/none/b"}),
                    "PIMSWEEP_CONFIGS is '/none/c', which is not a directory");
}

TEST_CASE("PIMSWEEP_CONFIGS says where configs are") {
  const Workplace place;
  const char* before = std::getenv("PIMSWEEP_CONFIGS");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("PIMSWEEP_CONFIGS", place.path("configs").c_str(), 1);
  CHECK(find_config_dir() == place.path("configs"));
  if (before == nullptr) {
    ::unsetenv("PIMSWEEP_CONFIGS");
  } else {
    ::setenv("PIMSWEEP_CONFIGS", saved.c_str(), 1);
  }
}
