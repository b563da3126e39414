#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "fixture.h"
#include "sweep/plan.h"

using namespace pimsweep::sweep;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

const std::string aim_study =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"aim\"\nhardware = \"aim-gddr6\"\ninputs = 1024\noutputs = 1024\n";

Plan plan_of(const Workplace& place, const std::string& text) {
  place.write("x.toml", text);
  return load_plan(place.path("x.toml"), {"configs", {}, {}});
}

std::string errors_of(const Workplace& place, const std::string& text) {
  try {
    plan_of(place, text);
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return {};
}

std::vector<double> values_of(const Study& study, const std::string& axis) {
  std::vector<double> values;
  systems::Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    values.push_back(point.real(static_cast<std::size_t>(study.schema().axis_index(axis))));
  }
  return values;
}

}  // namespace

TEST_CASE("Constants of a memory follow the axis memory") {
  const Workplace place;
  const Plan plan = plan_of(place, aim_study +
                                       "[study.axes]\nmemory = [\"\", \"dram-HBM3_6400\", \"dram-HBM2_2000\"]\n"
                                       "channels = [1, 2]\n");
  const Study& study = plan.studies[0];
  CHECK(values_of(study, "hardware.memory.timing.nCCDL") == std::vector<double>{0, 0, 8, 8, 4, 4});
  CHECK(values_of(study, "hardware.nCCD") == std::vector<double>(6, 2));
  systems::Point point(study.schema().axes.size());
  study.point(2, point);
  const auto axis = static_cast<std::size_t>(study.schema().axis_index("hardware.memory.stack.channels"));
  CHECK(study.origin_of(axis, point).text ==
        "hardware dram-HBM3_6400: JESD238: channels of a stack; for PIM in all of them");
}

TEST_CASE("A study may set a constant of all memories, and sample the ranges of each") {
  const Workplace place;
  const Plan plan = plan_of(place, aim_study +
                                       "\"hardware.memory.timing.nFAW\" = \"0 cycle\"\n[study.axes]\n"
                                       "memory = [\"dram-HBM3_6400\", \"dram-HBM3E_9200\"]\n"
                                       "[study.uncertainty]\nsamples = 8\n");
  const Study& study = plan.studies[0];
  CHECK(values_of(study, "hardware.memory.timing.nFAW") == std::vector<double>(18, 0));
  const std::vector<double> cas = values_of(study, "hardware.memory.timing.nCL");
  CHECK(std::set<double>(cas.begin(), cas.begin() + 9) == std::set<double>{40});
  for (std::size_t i = 9; i < 18; ++i) CHECK((cas[i] >= 40 && cas[i] <= 58));
  CHECK(std::set<double>(cas.begin() + 9, cas.end()).size() > 3);
}

TEST_CASE("Memories that are unknown, or no memories, are refused with names") {
  const Workplace place;
  const std::string unknown = errors_of(place, aim_study + "memory = \"dram-HBM3_640\"\n");
  CHECK(unknown.find("x.toml:8:10: unknown hardware 'dram-HBM3_640' (did you mean 'dram-HBM3_6400'?)") == 0);
  CHECK(unknown.find("gpu-h100") == std::string::npos);
  CHECK(errors_of(place, aim_study + "memory = \"gpu-h100\"\n").find("gpu-h100 is hardware of") != std::string::npos);
  CHECK(errors_of(place,
                  "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"gpu\"\nhardware = \"gpu-v100\"\n"
                  "model = \"vgg-d\"\nmemory = \"dram-HBM3_6400\"\n")
            .find("unknown key 'memory'") != std::string::npos);
}
