#include "systems/renamed.h"

#include <catch2/catch.hpp>

#include "fixture.h"
#include "sweep/plan.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// A system that had an axis `preset` and more policies in version 0.1.
Schema changed_schema(const std::string& system, const ConfigFolders& /*configs*/) {
  Schema schema = schema_of("plain");
  schema.name = system;
  Axis policy;
  policy.name = "policy";
  policy.type = ValueType::text;
  policy.default_value = Value{std::string("branch")};
  policy.choices = {"branch", "allspark"};
  schema.axes.push_back(std::move(policy));
  return schema;
}

std::string errors(const std::string& system, const std::string& rest, const std::vector<std::string>& overrides = {}) {
  const Workplace place;
  place.write("t.csv", "preset\nDDR4_2400R\n");
  place.write("x.toml", "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"" + system + "\"\n" + rest);
  try {
    load_plan(place.path("x.toml"), {place.path("configs"), {}, overrides}, changed_schema);
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("An old name is told with its new one") {
  const std::string hint = "; 'preset' is called 'hardware' since version 0.2";
  CHECK(errors("dram", "preset = \"HBM2_2000\"\n") ==
        "x.toml:5:1: unknown key 'preset': neither a key of a study nor an axis of system 'dram'" + hint);
  CHECK(errors("dram", "[study.axes]\npreset = [\"HBM2_2000\"]\n") ==
        "x.toml:6:1: unknown key 'preset': not an axis of system 'dram'" + hint);
  CHECK(errors("dram", "where = \"preset == 'HBM2_2000'\"\n").find("nor a function" + hint) != std::string::npos);
  CHECK(errors("dram", "", {"preset=HBM2_2000"}) == "--set preset=HBM2_2000: no study has an axis 'preset'" + hint);
  CHECK(errors("dram", "[study.table]\ncsv = \"t.csv\"\n")
            .find("t.csv:1:1: column 'preset' is not an axis of system 'dram'" + hint) == 0);
}

TEST_CASE("An old value is told with what took its place") {
  const std::string message =
      "'gpu' is not a value of axis 'policy'; 'gpu' is execution = \"gpu\" since version 0.2; allowed: branch, "
      "allspark";
  CHECK(errors("allspark", "policy = \"gpu\"\n") == "x.toml:5:10: " + message);
  CHECK(errors("allspark", "where = \"policy != 'gpu'\"\n") == "x.toml:5:20: " + message);
  CHECK(errors("allspark", "", {"policy=gpu"}) == "--set policy=gpu: " + message);
}
