// Configurations of SCALE-Sim as hardware of the system `gemm`.
#include "sweep/scale_sim_file.h"

#include <catch2/catch.hpp>
#include <map>

#include "fixture.h"
#include "sweep/plan.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::test;
using Catch::Matchers::Contains;

namespace {

const std::string configuration =
    "; An array of our own\n[general]\nrun_name = wide\n\n[architecture_presets]\nArrayHeight: 32\nArrayWidth : 16\n"
    "IfmapSramSzkB: 64\nFilterSramSzkB: 32\nOfmapSramSzkB: 4\nIfmapOffset: 0\nDataflow : ws\nBandwidth: 10\n"
    "[run_presets]\nInterfaceBandwidth: CALC\n";

std::string study_of(const std::string& keys, const std::string& system = "gemm") {
  return "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"" + system + "\"\nM = 8\nN = 8\nK = 8\n" + keys;
}

Plan load(const Workplace& place, const std::string& text) {
  place.write("x.toml", text);
  return load_plan(place.path("x.toml"), {"configs", {}, {}});
}

std::string error_of(const std::string& cfg, const std::string& system = "gemm") {
  const Workplace place;
  place.write("scale.cfg", cfg);
  try {
    load(place, study_of("hardware = \"scale.cfg\"\n", system));
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return "no error";
}

/// All axes of a point.
std::map<std::string, Value> point_of(const Plan& plan, std::uint64_t index) {
  const Study& study = plan.studies[0];
  const auto& axes = study.schema().axes;
  systems::Point point(axes.size());
  study.point(index, point);
  std::map<std::string, Value> values;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) values[axes[axis].name] = point[axis];
  return values;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("A SCALE-Sim configuration sets the axes that it has numbers for") {
  const Workplace place;
  place.write("scale.cfg", configuration);
  const Plan plan = load(place, study_of("hardware = \"scale.cfg\"\n"));
  auto point = point_of(plan, 0);
  CHECK(point["hardware"] == Value(std::string("scale")));
  CHECK(point["array_rows"] == Value(std::int64_t{32}));
  CHECK(point["array_cols"] == Value(std::int64_t{16}));
  CHECK(point["dataflow"] == Value(std::string("ws")));
  CHECK(point["dram_words_per_cycle"] == Value(0.0));
  CHECK(point["hardware.sram.buffer"] == Value(std::int64_t{100 * 1024}));
  CHECK(point["hardware.sram.ifmap"] == Value(std::int64_t{64 * 1024}));
  CHECK(point["hardware.sram.ofmap"] == Value(std::int64_t{4 * 1024}));
  CHECK(point["hardware.data.word"] == Value(std::int64_t{1}));
  const auto axis = static_cast<std::size_t>(plan.studies[0].schema().axis_index("array_rows"));
  CHECK(plan.studies[0].origin_of(axis).text == "hardware scale: ArrayHeight of scale.cfg");
  const HardwareFile& file = *plan.studies[0].hardware().front();
  CHECK(file.name == "wide");
  REQUIRE(file.notes.size() == 2);
  CHECK_THAT(file.notes[0], Contains("scale.cfg: ignored, because system 'gemm' does not have such axes: IfmapOffset"));
  CHECK_THAT(file.notes[1], Contains("are those of gemm-nvdla"));
}

TEST_CASE("A study overrides what a SCALE-Sim configuration sets") {
  const Workplace place;
  place.write("scale.cfg", configuration);
  const Plan plan =
      load(place, study_of("hardware = [\"scale.cfg\", \"gemm-nvdla\"]\narray_cols = 4\narray_rows = 2\n"));
  REQUIRE(plan.size() == 2);
  auto scale = point_of(plan, 0);
  auto engine = point_of(plan, 1);
  CHECK(scale["array_cols"] == Value(std::int64_t{4}));
  CHECK(scale["array_rows"] == engine["array_rows"]);
  CHECK(scale["dataflow"] == Value(std::string("ws")));
  CHECK(engine["dataflow"] == Value(std::string("mapped")));
  // The other file lacks the rows of its array, and the axis has no default.
  CHECK_THROWS_WITH(load(place, study_of("hardware = [\"scale.cfg\", \"gemm-nvdla\"]\narray_cols = 4\n")),
                    Contains("the study does not set axis 'array_rows'"));
}

TEST_CASE("A bandwidth set by the user is reported as ignored") {
  const Workplace place;
  place.write("scale.cfg", replaced(configuration, "CALC", "USER"));
  const Plan plan = load(place, study_of("hardware = \"scale.cfg\"\n"));
  CHECK_THAT(plan.studies[0].hardware().front()->notes.front(), Contains("Bandwidth is ignored"));
}

TEST_CASE("Errors of a SCALE-Sim configuration are reported at once") {
  std::string wrong = replaced(configuration, "ArrayHeight: 32", "ArrayHeight: many");
  wrong = replaced(wrong, "ArrayWidth : 16", "ArrayWidth : 4096");
  wrong = replaced(wrong, "OfmapSramSzkB: 4\n", "");
  wrong = replaced(wrong, ": ws", ": mapped");
  wrong = replaced(wrong, "CALC", "SOME") + "RUN_NAME: twice\nno key\n";
  const std::string error = error_of(wrong);
  CHECK_THAT(error, Contains("scale.cfg:6:14: 'ArrayHeight': expected an integer"));
  CHECK_THAT(error, Contains("scale.cfg:7:14: ArrayWidth: ") && Contains("1024"));
  CHECK_THAT(error, Contains("scale.cfg: the configuration does not have 'OfmapSramSzkB'"));
  CHECK_THAT(error, Contains("'Dataflow': got 'mapped'; allowed: os, ws, is"));
  CHECK_THAT(error, Contains("'InterfaceBandwidth': expected CALC or USER, got 'SOME'"));
  CHECK_THAT(error, Contains("duplicate 'RUN_NAME': first in line 3"));
  CHECK_THAT(error, Contains("expected [section], 'key = value'"));
  // The axes that the file would set are not called missing beside that.
  CHECK_THAT(error, !Contains("the study does not set axis"));
  CHECK_THAT(error_of(configuration, "gpu"), Contains("hardware of the system 'gemm', not of 'gpu'"));
}
