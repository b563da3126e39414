// The systems attacc-artifact and cent-artifact.
#include <catch2/catch.hpp>

#include "systems/artifacts/artifacts.h"
#include "systems/llm/llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using Catch::Matchers::Contains;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

SystemPoints cent_artifact() { return {systems::artifacts::make_cent_artifact(ConfigFolders("configs")), "cent"}; }

SystemPoints attacc_artifact() {
  return {systems::artifacts::make_attacc_artifact(ConfigFolders("configs")), "attacc-artifact-a100"};
}

}  // namespace

TEST_CASE("CENT's artifact runs contexts that do not fit its memory") {
  SystemPoints points = cent_artifact();
  Overrides point{{"model", text("llama-2-70b")}, {"context", integer(30975)}};
  const Record artifact = points.record(point);
  REQUIRE(artifact.status == Status::ok);
  CHECK(sum(points, artifact, "time") + 0.15e-3 == Approx(points.metric(artifact, "time")));
  for (const char* fixes : {"memory", "all"}) {
    point["cent_fixes"] = text(fixes);
    const Record fixed = points.record(point);
    CHECK(fixed.status == Status::infeasible);
    CHECK_THAT(fixed.message, Contains("35.58 GB on a device, which has 17.18 GB"));
  }
}

TEST_CASE("with all its faults fixed CENT's artifact has the results of system llm") {
  SystemPoints artifact = cent_artifact();
  SystemPoints llm = points_on("llm-cent");
  for (const char* model : {"llama-2-7b", "llama-2-70b"}) {
    for (const std::int64_t group : {0, 1, 8}) {
      for (const char* phase : {"decode", "prefill", "query"}) {
        CAPTURE(model, group, phase);
        const Overrides point{{"model", text(model)},
                              {"phase", text(phase)},
                              {"context", integer(512)},
                              {"tensor_parallel", integer(group)},
                              {"new_tokens", integer(128)}};
        Overrides all = point;
        all["cent_fixes"] = text("all");
        Overrides own = point;
        own["policy"] = text("pim-all");
        const Record faulty = artifact.record(point);
        const Record fixed = artifact.record(all);
        const Record ours = llm.record(own);
        REQUIRE(ours.status == Status::ok);
        for (const char* metric : {"time", "tokens_per_second", "energy", "energy_per_token", "idle_energy", "power",
                                   "pim_busy", "time_per_token", "time_to_first_token"}) {
          const double expected = llm.metric(ours, metric);
          if (expected == expected) CHECK(artifact.metric(fixed, metric) == expected);
        }
        for (const char* column : {"time", "pim_time", "link_time"}) {
          CHECK(artifact.column(fixed, "by_operator", column) == llm.column(ours, "by_operator", column));
        }
        CHECK(artifact.metric(faulty, "energy") < artifact.metric(fixed, "energy"));
        CHECK(artifact.metric(faulty, "time") != artifact.metric(fixed, "time"));
      }
    }
  }
}

TEST_CASE("points that AttAcc's artifact cannot account for are infeasible") {
  SystemPoints points = attacc_artifact();
  const Overrides query{{"model", text("gpt3-175b")},
                        {"policy", text("attacc")},
                        {"attacc_clocks", text("modeled")},
                        {"new_tokens", integer(8)}};
  const Record record = points.record(query);
  REQUIRE(record.status == Status::ok);
  CHECK(sum(points, record, "time") == Approx(points.metric(record, "time_per_token")));
  const auto message_with = [&](const char* axis, const Value& value) {
    Overrides changed = query;
    changed[axis] = value;
    return points.record(changed).message;
  };
  CHECK_THAT(message_with("hardware.pim.devices", integer(0)), Contains("needs AttAcc's stacks"));
  CHECK_THAT(message_with("model", text("deepseek-v3")), Contains("knows no experts"));
}
