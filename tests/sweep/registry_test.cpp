#include <catch2/catch.hpp>

#include "fixture.h"
#include "systems/system.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

TEST_CASE("A plan for a registered system has points that it evaluates") {
  const Workplace place;
  place.write("x.toml", "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"synthetic\"\n[study.axes]\nn = [1, 2, 3]\n");
  const Plan plan = load_plan(place.path("x.toml"), {place.path("configs"), {}, {}});
  REQUIRE(plan.size() == 3);
  const Study& study = plan.studies[0];
  CHECK(study.hardware().empty());
  const auto system = make_system(study.system(), plan.configs);
  Point point(study.schema().axes.size());
  Record record;
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    record.reset(system->schema());
    system->evaluate(point, record);
    CHECK(record.status == Status::ok);
  }
}

TEST_CASE("A system that is not registered is named with the nearest") {
  const Workplace place;
  place.write("x.toml", "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"synthetik\"\n");
  try {
    load_plan(place.path("x.toml"), {place.path("configs"), {}, {}});
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(place.shorten(error.what()).find("x.toml:4:10: there is no system 'synthetik' (did you mean 'synthetic'?)") ==
          0);
  }
}
