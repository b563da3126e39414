#include <catch2/catch.hpp>
#include <filesystem>

#include "sweep/plan.h"

using namespace pimsweep::sweep;
using namespace pimsweep;
using namespace pimsweep::systems;

TEST_CASE("Every experiment that is shipped is valid") {
  int experiments = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("experiments")) {
    if (entry.path().extension() != ".toml") continue;
    ++experiments;
    const Plan plan = load_plan(entry.path().string(), {"configs", {}, {}});
    CHECK(plan.size() > 0);
  }
  CHECK(experiments > 0);
}

TEST_CASE("The examples have the points that they promise") {
  CHECK(load_plan("experiments/examples/axes.toml", {"configs", {}, {}}).size() == 12);
  CHECK(load_plan("experiments/examples/zip.toml", {"configs", {}, {}}).size() == 6);
  const Plan sample = load_plan("experiments/examples/sample.toml", {"configs", {}, {}});
  CHECK(sample.size() > 0);
  CHECK(sample.size() < 2 * 32);
  const Plan table = load_plan("experiments/examples/table.toml", {"configs", {}, {}});
  REQUIRE(table.size() == 4);
  CHECK(to_text(table.studies[0].carried_value(0, 3)) == "defaults");
}
