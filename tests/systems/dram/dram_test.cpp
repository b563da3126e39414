#include "systems/parts/dram/dram.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "../../hardware/reference.h"
#include "../system_points.h"

using namespace pimsweep::systems::parts::dram;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

Value text(std::string value) { return Value{std::move(value)}; }
Value count(std::int64_t value) { return Value{value}; }

SystemPoints ddr4() { return {make_dram("configs"), "dram-DDR4_2400R"}; }

double metric(SystemPoints& points, const SystemPoints::Overrides& overrides, const std::string& name) {
  const Record record = points.record(overrides);
  REQUIRE(record.status == Status::ok);
  return points.metric(record, name);
}

/// A folder of configs/hardware with what a test writes to it.
class Configs {
 public:
  Configs() : folder_(std::filesystem::temp_directory_path() / ("pimsweep-dram-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "hardware");
  }
  ~Configs() { std::filesystem::remove_all(folder_); }
  Configs(const Configs&) = delete;
  Configs& operator=(const Configs&) = delete;

  /// The project's DDR4-2400R under another name, with `before` replaced by `after`.
  void write(const std::string& name, const std::string& before = "", const std::string& after = "") const {
    std::ifstream source("configs/hardware/dram-DDR4_2400R.toml");
    std::ostringstream all;
    all << source.rdbuf();
    std::string content = all.str();
    content.replace(content.find("name = "), content.substr(content.find("name = ")).find('\n'), "");
    if (!before.empty()) content.replace(content.find(before), before.size(), after);
    std::ofstream(folder_ / "hardware" / name) << content;
  }
  void write_text(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / "hardware" / name) << content;
  }
  std::string path() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("the rows of Ramulator 2.1 are met exactly") {
  SystemPoints points = ddr4();
  const test::Reference rows("results/reference/dram/dram_reference.csv");
  // Enough of every kind; the study `reference` has them all.
  constexpr std::int64_t max_requests = 10000;
  std::size_t met = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.integer(row, "requests") > max_requests) continue;
    CAPTURE(rows.text(row, "case_id"));
    SystemPoints::Overrides overrides;
    for (const char* axis :
         {"standard", "preset", "pattern", "read_fraction", "mapping", "scheduler", "refresh", "row_policy"}) {
      overrides[axis] = text(rows.text(row, axis));
    }
    for (const char* axis : {"requests", "read_queue", "write_queue", "seed"}) {
      if (!rows.text(row, axis).empty()) overrides[axis] = count(rows.integer(row, axis));
    }
    const Record record = points.record(overrides);
    for (const char* name : {"cycles", "cycles_last_accept", "row_hits", "row_misses", "row_conflicts", "n_ACT",
                             "n_PREpb", "n_PREab", "n_RD", "n_WR", "n_REFab", "reads_forwarded", "writes_coalesced"}) {
      CAPTURE(name);
      CHECK(points.metric(record, name) == static_cast<double>(rows.integer(row, name)));
    }
    // Printed with six digits.
    CHECK(points.metric(record, "avg_read_latency") == Approx(rows.real(row, "avg_read_latency")).epsilon(1e-5));
    ++met;
  }
  CHECK(met > 100);
}

TEST_CASE("arithmetic is near the simulation for streams and strides of every preset") {
  SystemPoints points = ddr4();
  for (const char* preset : {"DDR4_2400R", "DDR4_3200AA", "GDDR6_14000", "HBM2_2000", "HMC_vault", "PIMFlow_GDDR6",
                             "Allspark_400MHz_1bank", "Allspark_400MHz_4banks", "Allspark_2GHz_1bank"}) {
    for (const char* pattern : {"seq", "hit_1bank", "hit_allbanks", "stride_row_1bank", "stride_row_allbanks"}) {
      for (const char* reads : {"1", "0"}) {
        CAPTURE(preset, pattern, reads);
        SystemPoints::Overrides point{{"preset", text(preset)},
                                      {"pattern", text(pattern)},
                                      {"read_fraction", text(reads)},
                                      {"requests", count(4000)}};
        const double cycle = metric(points, point, "cycles");
        point["fidelity"] = text("analytic");
        CHECK(metric(points, point, "cycles") == Approx(cycle).epsilon(0.2));
      }
    }
  }
}

TEST_CASE("metrics hang together") {
  SystemPoints points = ddr4();
  for (const char* fidelity : {"cycle", "analytic"}) {
    const Record r =
        points.record({{"fidelity", text(fidelity)}, {"pattern", text("random")}, {"read_fraction", text("0.67")}});
    const auto m = [&](const char* name) { return points.metric(r, name); };
    CHECK(m("time") == Approx(m("cycles") * 0.833e-9));
    CHECK(m("bandwidth") == Approx(10000 * 64 / m("time")));
    CHECK(m("bandwidth_share") == Approx(m("bandwidth") / (64 / (4 * 0.833e-9))));
    CHECK(m("energy") == Approx(m("energy_activate") + m("energy_read") + m("energy_write") + m("energy_refresh") +
                                m("energy_background") + m("energy_data")));
    CHECK(m("energy_per_byte") == Approx(m("energy") / (10000 * 64)));
    CHECK(std::isnan(m("avg_read_latency")) == (std::string(fidelity) == "analytic"));
  }
}

TEST_CASE("a preset is the same by either name and as the study's hardware") {
  SystemPoints by_preset = ddr4();
  SystemPoints by_hardware(make_dram("configs"), "dram-HBM2_2000");
  const Record hardware = by_hardware.record({});
  CHECK(hardware.metrics == by_preset.record({{"preset", text("HBM2_2000")}}).metrics);
  CHECK(hardware.metrics == by_preset.record({{"preset", text("HBM2_2Gb/HBM2_2000Mbps 2 pseudochannels")}}).metrics);
  CHECK(hardware.metrics != by_preset.record({}).metrics);
  // Both at once are fine where they agree; else neither is silently ignored.
  CHECK(hardware.metrics == by_hardware.record({{"preset", text("HBM2_2000")}}).metrics);
  CHECK_THROWS_WITH(by_hardware.record({{"preset", text("HBM2_2000")}, {"hardware.timing.nCL", count(15)}}),
                    Catch::Contains("preset HBM2_2000 has hardware.timing.nCL = 14, but it is given as 15"));
}

TEST_CASE("points without a meaning are refused with what is allowed") {
  SystemPoints points = ddr4();
  for (const char* mix : {"0.5 (sometimes)", "1.5", "-0.1", "0.333", "reads", "", "nan"}) {
    CAPTURE(mix);
    CHECK_THROWS_WITH(points.record({{"read_fraction", text(mix)}}), Catch::Contains("0.5 (alternate R,W)"));
  }
  CHECK_THROWS_WITH(points.record({{"standard", text("GDDR6")}}), Catch::Contains("the DRAM follows DDR4"));
  CHECK(points.record({{"standard", text("DDR4(custom)")}}).status == Status::ok);
  CHECK_THROWS_WITH(points.record({{"hardware.timing.nREFI", count(500)}}), Catch::Contains("nREFI = 500"));
  CHECK(points.record({{"hardware.timing.nREFI", count(500)}, {"refresh", text("No")}}).status == Status::ok);
  CHECK_THROWS_WITH(points.record({{"hardware.organization.banks", count(3)}}), Catch::Contains("not a power of two"));
  CHECK_THROWS_WITH(points.record({{"hardware.organization.banks", count(32)}}), Catch::Contains("at most 64 banks"));
  CHECK_THROWS_WITH(points.record({{"requests", count(1'000'000'000)}}), Catch::Contains("analytic"));
  CHECK(metric(points, {{"requests", count(1'000'000'000)}, {"fidelity", text("analytic")}}, "cycles") > 1e9);
}

TEST_CASE("a changed preset file changes the identity of its points") {
  const Configs configs;
  configs.write("dram-DDR4_2400R.toml");
  std::set<Hash128> hashes;
  for (const char* clocks : {"value = 26", "value = 27"}) {
    configs.write("dram-MINE.toml", "value = 26", clocks);
    const auto system = make_dram(configs.path());
    std::vector<Value> values;
    for (const Axis& axis : system->schema().axes) values.push_back(*axis.default_value);
    values[static_cast<std::size_t>(system->schema().axis_index("preset"))] = text("MINE");
    Point point(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
    hashes.insert(system->workload_hash(point));
  }
  CHECK(hashes.size() == 2);
}

TEST_CASE("all that is wrong with preset files is told at once, with its place") {
  const Configs configs;
  CHECK_THROWS_WITH(make_dram(configs.path()), Catch::Contains("lacks dram-DDR4_2400R.toml"));
  configs.write("dram-DDR4_2400R.toml");
  configs.write("dram-A.toml", "value = 26", "value = -1");
  configs.write("dram-B.toml", "value = \"DDR4\"", "value = \"DDR9\"");
  configs.write("dram-C.toml", "[timing.nRFC]", "[timing.nRFG]");
  configs.write("dram-D.toml", "value = \"0.833 ns\"", "value = \"3 GHz\"");
  configs.write_text("dram-E.toml", "[timing.nRP\n");
  try {
    make_dram(configs.path());
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const char* part :
         {"dram-A.toml:", "[timing.nFAW] needs an integer from 0", "[standard] needs one of DDR4, GDDR6, HBM2",
          "[timing.nRFC] with a value is missing", "'timing.nRFG' (did you mean 'timing.nRFC'?)",
          "dram-D.toml:", "[clock_period]", "dram-E.toml:1:"}) {
      CHECK_THAT(message, Catch::Contains(part));
    }
  }
}

TEST_CASE("explain tells the rules and what became of the point") {
  SystemPoints points = ddr4();
  for (const char* fidelity : {"cycle", "analytic"}) {
    const Explanation explanation = points.explanation({{"fidelity", text(fidelity)}});
    REQUIRE(explanation.sections.size() == 4);
    const Explanation::Line& cycles = explanation.sections[2].lines.at(0);
    CHECK(cycles.name == "cycles");
    CHECK(std::stod(cycles.value) == metric(points, {{"fidelity", text(fidelity)}}, "cycles"));
  }
}
