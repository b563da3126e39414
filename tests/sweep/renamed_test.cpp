#include "sweep/renamed.h"

#include <catch2/catch.hpp>

#include "fixture.h"
#include "sweep/plan.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// A system that had an axis `preset` in version 0.1.
Schema dram(const std::string& /*system*/) {
  Schema schema = schema_of("plain");
  schema.name = "dram";
  return schema;
}

std::string errors(const std::string& rest, const std::vector<std::string>& overrides = {}) {
  const Workplace place;
  place.write("t.csv", "preset\nDDR4_2400R\n");
  place.write("x.toml", "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"dram\"\n" + rest);
  try {
    load_plan(place.path("x.toml"), {place.path("configs"), {}, overrides}, dram);
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("An old name is told with its new one") {
  const std::string hint = "; 'preset' is called 'hardware' since version 0.2";
  CHECK(unknown_name_hint("dram", "preset", {}) == hint);
  CHECK(errors("preset = \"HBM2_2000\"\n") ==
        "x.toml:5:1: unknown key 'preset': neither a key of a study nor an axis of system 'dram'" + hint);
  CHECK(errors("[study.axes]\npreset = [\"HBM2_2000\"]\n") ==
        "x.toml:6:1: unknown key 'preset': not an axis of system 'dram'" + hint);
  CHECK(errors("where = \"preset == 'HBM2_2000'\"\n").find("nor a function" + hint) != std::string::npos);
  CHECK(errors("", {"preset=HBM2_2000"}) == "--set preset=HBM2_2000: no study has an axis 'preset'" + hint);
  CHECK(errors("[study.table]\ncsv = \"t.csv\"\n")
            .find("t.csv:1:1: column 'preset' is not an axis of system 'dram'" + hint) == 0);
}

TEST_CASE("Names that never were get the nearest one") {
  const std::vector<std::string> names{"batch", "model"};
  CHECK(unknown_name_hint("dram", "bacth", names) == " (did you mean 'batch'?)");
  CHECK(unknown_name_hint("plain", "preset", names).empty());
  CHECK(unknown_name_hint("dram", "preset", names, RenamedKey::What::metric).empty());
}
