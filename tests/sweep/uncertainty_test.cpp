#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "fixture.h"
#include "sweep/hardware_file.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

const std::string clock_text = "[clock]\nvalue = \"400 MHz\"\nbasis = \"assumed\"\nsource = \"s\"\n";
const std::string clock_range = "low = \"200 MHz\"\nhigh = \"500 MHz\"\nrange = \"r\"\n";
const std::string rows =
    "[node_array.rows]\nvalue = 8\nbasis = \"assumed\"\nsource = \"s\"\nalternatives = [16, 4]\nrange = \"r\"\n";
const std::string link = "[noc.link_bandwidth]\nvalue = \"3.2 GB/s\"\nsource = \"printed\"\n";
const std::string wide_link =
    "[noc.link_bandwidth]\nvalue = \"3.2 GB/s\"\nbasis = \"assumed\"\nsource = \"s\"\nlow = \"1 GB/s\"\nhigh = \"16 "
    "GB/s\"\n"
    "range = \"r\"\n";
const std::string machine_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nmodel = \"swin-b\"\nhardware = \"vague\"\n";

std::string uncertainty(int samples, const std::string& more = {}) {
  return fmt::format("[study.uncertainty]\nsamples = {}\n{}", samples, more);
}

/// A folder with the hardware files `vague` and `other`, which differ in the range of the clock.
struct Machines : Workplace {
  Machines() {
    write("configs/hardware/vague.toml", clock_text + clock_range + rows + wide_link);
    write("configs/hardware/other.toml",
          clock_text + "low = \"390 MHz\"\nhigh = \"410 MHz\"\nrange = \"r\"\n" + rows + link);
  }
};

std::vector<double> reals(const Study& study, const std::string& name) {
  std::vector<double> values;
  Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    values.push_back(point.real(static_cast<std::size_t>(study.schema().axis_index(name))));
  }
  return values;
}

std::string range_errors(const std::string& constant) { return hardware_errors(rows + link + constant); }

}  // namespace

TEST_CASE("A constant says what it rests on and what else it may be", "[uncertainty]") {
  const Machines place;
  const HardwareFile file = load_hardware("vague", schema_of("machine"), place.path("configs"));
  const HardwareConstant& read = file.constants.at("clock");
  CHECK(read.basis == Basis::assumed);
  REQUIRE(read.uncertainty);
  CHECK(read.uncertainty->source == "r");
  CHECK(std::get<RealInterval>(read.uncertainty->range).to == 5e8);
  // Above three times its low end a range is logarithmic.
  CHECK(std::holds_alternative<LogScale>(file.constants.at("noc.link_bandwidth").uncertainty->range));
  CHECK(std::get<std::vector<Value>>(file.constants.at("node_array.rows").uncertainty->range).size() == 3);
  const HardwareFile other = load_hardware("other", schema_of("machine"), place.path("configs"));
  CHECK(other.constants.at("noc.link_bandwidth").basis == Basis::document);
  CHECK_FALSE(other.constants.at("noc.link_bandwidth").uncertainty);
}

TEST_CASE("A bad range is an error with its place", "[uncertainty]") {
  const auto has = [](const std::string& constant, const std::string& expected) {
    const std::string errors = range_errors(constant);
    INFO(errors);
    CHECK(errors.find(expected) != std::string::npos);
  };
  has(clock_text + clock_range, "(no error)");
  has(clock_text, "[clock] does not have a range (low and high, or alternatives), although its value is assumed");
  has(clock_text + "low = \"450 MHz\"\nhigh = \"500 MHz\"\nrange = \"r\"\n",
      "h.toml:14:7: [clock]: 450 MHz is low, but above the value 400 MHz");
  has(clock_text + "low = \"200 MHz\"\nhigh = \"300 MHz\"\nrange = \"r\"\n",
      "h.toml:15:8: [clock]: 300 MHz is high, but below the value 400 MHz");
  has(clock_text + "low = \"200 MHz\"\nrange = \"r\"\n", "[clock] does not have both low and high");
  has(clock_text + "low = \"200 MHz\"\nhigh = \"500 MHz\"\n", "[clock] does not have 'range', the source of its range");
  has(clock_text + "low = 4\nhigh = \"500 MHz\"\nrange = \"r\"\n", "h.toml:14:7");
  has(clock_text + clock_range + "alternatives = [\"1 GHz\"]\n", "both low or high and alternatives");
  has(clock_text + "alternatives = [\"400 MHz\"]\nrange = \"r\"\n", "h.toml:14:17: [clock] has 400 MHz twice");
  has(clock_text + "alternatives = []\nrange = \"r\"\n", "expected a list of values");
  has(clock_text + "range = \"r\"\n", "[clock] has 'range', but neither low and high nor alternatives");
  has("[clock]\nvalue = \"400 MHz\"\nsource = \"printed\"\n" + clock_range, "only such values may have a range");
  has("[clock]\nvalue = \"400 MHz\"\nbasis = \"asumed\"\nsource = \"s\"\n" + clock_range, "'assumed'");
  const std::string zero =
      "[noc.transfer]\nvalue = \"pipelined\"\nbasis = \"assumed\"\nsource = \"s\"\nlow = \"a\"\nhigh = \"b\"\nrange = "
      "\"r\"\n";
  has(clock_text + clock_range + zero, "h.toml:21");
}

TEST_CASE("A range that would be logarithmic cannot begin at zero", "[uncertainty]") {
  const Workplace place;
  place.write(
      "h.toml",
      clock_text + clock_range + rows +
          "[noc.link_bandwidth]\nvalue = \"3.2 GB/s\"\nbasis = \"assumed\"\nsource = \"s\"\nlow = \"0 GB/s\"\nhigh = "
          "\"16 GB/s\"\nrange = \"r\"\n");
  CHECK_THROWS_WITH(load_hardware(place.path("h.toml"), schema_of("machine"), place.path("configs")),
                    Catch::Contains("h.toml:18:7") && Catch::Contains("low must be above zero"));
  // Where the value itself is zero, the range can only be linear.
  place.write("h.toml", clock_text + clock_range + rows +
                            "[noc.link_bandwidth]\nvalue = \"0 GB/s\"\nbasis = \"assumed\"\nsource = \"s\"\nlow = \"0 "
                            "GB/s\"\nhigh = \"16 GB/s\"\nrange = \"r\"\n");
  const HardwareFile file = load_hardware(place.path("h.toml"), schema_of("machine"), place.path("configs"));
  CHECK(std::holds_alternative<RealInterval>(file.constants.at("noc.link_bandwidth").uncertainty->range));
}

TEST_CASE("Draw 0 is the machine of the file, the others lie in its ranges", "[uncertainty]") {
  const Machines place;
  for (const char* method : {"sobol", "lhs", "random"}) {
    const Study study = place
                            .load(machine_text + uncertainty(64, fmt::format("method = \"{}\"\n", method)) +
                                  "[study.axes]\nbatch = [1, 2]\n")
                            .studies.at(0);
    REQUIRE(study.size() == 2 * 65);
    const std::vector<double> draws = reals(study, "draw");
    const std::vector<double> clocks = reals(study, "hardware.clock");
    const std::vector<double> links = reals(study, "hardware.noc.link_bandwidth");
    const std::vector<double> batches = reals(study, "batch");
    CHECK(batches[64] == 1);
    CHECK(batches[65] == 2);
    std::map<double, int> row_counts;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      CHECK(draws[i] == static_cast<double>(i % 65));
      CHECK(clocks[i] >= 2e8);
      CHECK(clocks[i] <= 5e8);
      CHECK(links[i] >= 1e9);
      CHECK(links[i] <= 16e9);
      // The same machine for all points.
      CHECK(clocks[i] == clocks[i % 65]);
      ++row_counts[reals(study, "hardware.node_array.rows")[i]];
    }
    CHECK(clocks[0] == 4e8);
    CHECK(links[0] == 3.2e9);
    CHECK(row_counts.size() == 3);
    const auto clock_axis = static_cast<std::size_t>(study.schema().axis_index("hardware.clock"));
    CHECK(study.varies(clock_axis));
    CHECK_FALSE(study.follows_hardware(clock_axis));
    CHECK(study.origin_of(clock_axis).text ==
          fmt::format("drawn from a range ({}, seed 0); draw 0 is hardware vague: s", method));
    CHECK(std::set<double>(clocks.begin(), clocks.end()).size() == 65);
    CHECK(study.origin_of(static_cast<std::size_t>(study.schema().axis_index("hardware.node_array.rows")))
              .text.starts_with("drawn among values ("));
  }
}

TEST_CASE("Machines depend on the seed, not on the study", "[uncertainty]") {
  const Machines place;
  const auto clocks = [&](const std::string& text) { return reals(place.load(text).studies.at(0), "hardware.clock"); };
  const std::string other_id =
      "name = \"x\"\n[[study]]\nid = \"t\"\nsystem = \"machine\"\nmodel = \"vit-b\"\nhardware = \"vague\"\n";
  const auto first = clocks(machine_text + uncertainty(16));
  CHECK(first == clocks(other_id + uncertainty(16)));
  CHECK(first != clocks(machine_text + uncertainty(16, "seed = 1\n")));
  const Plan a = place.load(machine_text + uncertainty(16));
  CHECK(a.hash() == place.load(machine_text + uncertainty(16)).hash());
  CHECK(a.hash() != place.load(machine_text + uncertainty(16, "seed = 1\n")).hash());
}

TEST_CASE("Each hardware file has its own ranges", "[uncertainty]") {
  const Machines place;
  const std::string text =
      "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nmodel = \"swin-b\"\nhardware = [\"vague\", "
      "\"other\"]\n";
  const Study study = place.load(text + uncertainty(32)).studies.at(0);
  REQUIRE(study.size() == 66);
  const std::vector<double> clocks = reals(study, "hardware.clock");
  const std::vector<double> links = reals(study, "hardware.noc.link_bandwidth");
  for (std::size_t draw = 1; draw <= 32; ++draw) {
    // The same place in both ranges.
    const double place_in_first = (clocks[draw] - 200e6) / 300e6;
    CHECK((clocks[33 + draw] - 390e6) / 20e6 == Approx(place_in_first).margin(1e-9));
    CHECK(links[33 + draw] == 3.2e9);
  }
}

TEST_CASE("Tied constants are drawn together", "[uncertainty]") {
  const Machines place;
  place.write("configs/hardware/vague.toml",
              clock_text + clock_range + "tied = \"both\"\n" + rows + wide_link + "tied = \"both\"\n");
  const Study study = place.load(machine_text + uncertainty(32)).studies.at(0);
  const std::vector<double> clocks = reals(study, "hardware.clock");
  const std::vector<double> links = reals(study, "hardware.noc.link_bandwidth");
  for (std::size_t draw = 1; draw <= 32; ++draw)
    CHECK(std::log(links[draw] / 1e9) / std::log(16) == Approx((clocks[draw] - 2e8) / 3e8).margin(1e-9));
}

TEST_CASE("One at a time, every other constant stays", "[uncertainty]") {
  const Machines place;
  const Study study = place.load(machine_text + uncertainty(5, "method = \"one-at-a-time\"\n")).studies.at(0);
  REQUIRE(study.size() == 1 + 3 * 5);
  const std::vector<double> clocks = reals(study, "hardware.clock");
  const std::vector<double> links = reals(study, "hardware.noc.link_bandwidth");
  const std::vector<double> counts = reals(study, "hardware.node_array.rows");
  std::set<double> moved;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    CHECK((clocks[i] != 4e8) + (links[i] != 3.2e9) + (counts[i] != 8) <= 1);
    moved.insert(clocks[i]);
  }
  CHECK(moved.contains(2e8));
  CHECK(*moved.rbegin() == Approx(5e8));
}

TEST_CASE("A log-normal constant has its quantiles at low and high", "[uncertainty]") {
  const Machines place;
  const std::string link_error =
      "[noc.link_bandwidth]\nvalue = \"1 GB/s\"\nbasis = \"calibrated\"\nsource = \"s\"\ndistribution = "
      "\"log-normal\"\nlow = \"0.5 GB/s\"\nhigh = \"3 GB/s\"\nrange = \"r\"\n";
  place.write("configs/hardware/vague.toml", clock_text + clock_range + rows + link_error);
  const Study study = place.load(machine_text + uncertainty(4000, "method = \"lhs\"\n")).studies.at(0);
  std::vector<double> links = reals(study, "hardware.noc.link_bandwidth");
  links.erase(links.begin());
  std::sort(links.begin(), links.end());
  // A thousandth is cut off at either end.
  CHECK(links[200] == Approx(0.5e9).epsilon(0.01));
  CHECK(links[2000] == Approx(std::sqrt(1.5) * 1e9).epsilon(0.01));
  CHECK(links[3800] == Approx(3e9).epsilon(0.01));
  const double sigma = std::log(6) / (2 * 1.6448536);
  CHECK(links.front() == Approx(std::sqrt(1.5) * 1e9 * std::exp(-3.0902 * sigma)).epsilon(0.2));
  CHECK(links.front() >= std::sqrt(1.5) * 1e9 * std::exp(-3.0903 * sigma));
  CHECK(links.back() <= std::sqrt(1.5) * 1e9 * std::exp(3.0903 * sigma));
  // Ranks of a normal distribution.
  CHECK(links[3364] == Approx(std::sqrt(1.5) * 1e9 * std::exp(sigma)).epsilon(0.01));
}

TEST_CASE("A distribution needs low above zero, and no alternatives", "[uncertainty]") {
  const auto has = [](const std::string& constant, const std::string& expected) {
    const std::string errors = range_errors(constant);
    INFO(errors);
    CHECK(errors.find(expected) != std::string::npos);
  };
  const std::string log_normal = "distribution = \"log-normal\"\n";
  has(clock_text + clock_range + log_normal, "(no error)");
  has(clock_text + clock_range + "distribution = \"lognormal\"\n",
      "h.toml:17:16: there is no distribution 'lognormal' (did you mean 'log-normal'?)");
  has(clock_text + "alternatives = [\"1 GHz\"]\nrange = \"r\"\n" + log_normal,
      "a list of alternatives cannot have a distribution");
  has(clock_text + "low = \"2 MHz\"\nhigh = \"500 MHz\"\nrange = \"r\"\n" + log_normal,
      "[clock]: an end of the distribution: axis 'hardware.clock'");
  has(clock_text + log_normal, "[clock] has 'distribution', but neither low and high nor alternatives");
}

TEST_CASE("Blocks for indices of sensitivity differ from their first machine in one constant", "[uncertainty]") {
  const Machines place;
  const Study study = place.load(machine_text + uncertainty(8, "method = \"saltelli\"\n")).studies.at(0);
  REQUIRE(study.size() == 1 + 8 * 5);
  const std::vector<std::vector<double>> columns{reals(study, "hardware.clock"),
                                                 reals(study, "hardware.noc.link_bandwidth"),
                                                 reals(study, "hardware.node_array.rows")};
  for (std::size_t block = 0; block < 8; ++block) {
    const std::size_t a = 1 + 5 * block;
    std::set<std::size_t> moved;
    for (std::size_t place_in_block = 2; place_in_block < 5; ++place_in_block) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i][a + place_in_block] == columns[i][a]) continue;
        CHECK(columns[i][a + place_in_block] == columns[i][a + 1]);
        moved.insert(i + 10 * place_in_block);
      }
    }
    CHECK(moved.size() <= 3);
  }
  CHECK(study.origin_of(static_cast<std::size_t>(study.schema().axis_index("draw"))).text ==
        "draw (saltelli, seed 0); blocks of 5 machines");
}

TEST_CASE("The command line selects constants and points", "[uncertainty]") {
  const Machines place;
  PlanOptions options;
  options.draws = 4;
  options.draw_constants = {"hardware.clock"};
  const Study study = place.load(machine_text + "[study.axes]\nbatch = [1, 2, 4]\n", options).studies.at(0);
  CHECK(reals(study, "hardware.noc.link_bandwidth") == std::vector<double>(15, 3.2e9));
  CHECK(reals(study, "hardware.clock")[1] != 4e8);
  options.where = "batch > 1";
  CHECK(place.load(machine_text + "[study.axes]\nbatch = [1, 2, 4]\n", options).studies.at(0).size() == 10);
  options.draw_constants = {"hardware.clok"};
  options.where.clear();
  CHECK(place.errors(machine_text, options).find("no study samples this constant (did you mean 'hardware.clock'?)") !=
        std::string::npos);
  options.where = "bath > 1";
  CHECK(place.errors(machine_text, options).find("--where") != std::string::npos);
}

TEST_CASE("What a study sets itself is not drawn, and constants may be listed", "[uncertainty]") {
  const Machines place;
  const Study fixed = place.load(machine_text + "\"hardware.clock\" = \"300 MHz\"\n" + uncertainty(4)).studies.at(0);
  CHECK(reals(fixed, "hardware.clock") == std::vector<double>(5, 3e8));
  const Study listed = place.load(machine_text + uncertainty(4, "constants = [\"hardware.clock\"]\n")).studies.at(0);
  CHECK(reals(listed, "hardware.noc.link_bandwidth") == std::vector<double>(5, 3.2e9));
  CHECK(reals(listed, "hardware.clock")[1] != 4e8);
  CHECK(place.errors(machine_text + uncertainty(4, "constants = [\"hardware.clok\", \"hardware.noc.transfer\"]\n")) ==
        "x.toml:9:14: 'hardware.clok' is not a constant of system 'machine' (did you mean 'hardware.clock'?)\n"
        "x.toml:9:31: the hardware files do not define a range of 'hardware.noc.transfer', or the study sets it");
}

TEST_CASE("Choices are drawn among the study's own value and others", "[uncertainty]") {
  const Machines place;
  const std::string choices = "[study.uncertainty.choices]\nfidelity = [\"cycle\"]\n";
  const Study study = place.load(machine_text + uncertainty(32) + choices).studies.at(0);
  const std::vector<std::string> drawn = column(study, "fidelity");
  CHECK(drawn[0] == "analytic");
  CHECK(std::set<std::string>(drawn.begin(), drawn.end()).size() == 2);
  CHECK(place.errors(machine_text + uncertainty(4) + choices + "[study.axes]\nfidelity = [\"analytic\", \"cycle\"]\n")
            .find("axis 'fidelity' varies in the study") != std::string::npos);
  CHECK(place.errors(machine_text + uncertainty(4) + "[study.uncertainty.choices]\nfidelty = [\"cycle\"]\n")
            .find("'fidelty' is not an axis of system 'machine' (did you mean 'fidelity'?)") != std::string::npos);
}

TEST_CASE("A choice of a constant stands in for its range", "[uncertainty]") {
  const Machines place;
  const Study study =
      place.load(machine_text + uncertainty(32) + "[study.uncertainty.choices]\n\"hardware.clock\" = [\"1 GHz\"]\n")
          .studies.at(0);
  const std::vector<double> clocks = reals(study, "hardware.clock");
  CHECK(std::set<double>(clocks.begin(), clocks.end()) == std::set<double>{4e8, 1e9});
  CHECK(clocks[0] == 4e8);
}

TEST_CASE("The option samples machines in every study that is not a sample", "[uncertainty]") {
  const Machines place;
  PlanOptions options;
  options.draws = 8;
  const std::string sample =
      "[[study]]\nid = \"t\"\nsystem = \"plain\"\n[study.sample]\nmethod = \"lhs\"\npoints = "
      "3\n[study.sample.ranges]\na = "
      "{ from = 1, to = 9 }\n[[study]]\nid = \"u\"\nsystem = \"plain\"\n";
  const Plan plan = place.load(machine_text + sample, options);
  CHECK(plan.studies.at(0).size() == 9);
  CHECK(plan.studies.at(1).size() == 3);
  // Nothing of it is uncertain.
  CHECK(plan.studies.at(2).size() == 1);
  // Without the option, a study without `samples` has one machine.
  CHECK(place.load(machine_text + "[study.uncertainty]\nseed = 3\n").size() == 1);
}

TEST_CASE("Conditions see the machine of the file, so that every draw has the same points", "[uncertainty]") {
  const Machines place;
  const Study study = place
                          .load(machine_text + "where = \"hardware.clock * batch < 900e6\"\n" + uncertainty(16) +
                                "[study.axes]\nbatch = [1, 2, 4]\n")
                          .studies.at(0);
  CHECK(study.size() == 2 * 17);
  CHECK(study.varies(static_cast<std::size_t>(study.schema().axis_index("hardware.clock"))));
}

TEST_CASE("Bad blocks are refused", "[uncertainty]") {
  const Machines place;
  const auto has = [&](const std::string& text, const std::string& expected) {
    const std::string errors = place.errors(text);
    INFO(errors);
    CHECK(errors.find(expected) != std::string::npos);
  };
  has(machine_text + uncertainty(0), "'samples' must be from 1 to 65536, got 0");
  has(machine_text + uncertainty(4, "method = \"saltell\"\n"), "(did you mean 'saltelli'?)");
  has(machine_text + "draw = 3\n" + uncertainty(4), "sets the axis 'draw' itself");
  has(machine_text + uncertainty(4) +
          "[study.sample]\nmethod = \"lhs\"\npoints = 2\n[study.sample.ranges]\nbatch = [1, 2]\n",
      "either [study.sample] or [study.uncertainty]");
  has(machine_text + uncertainty(4, "sample = 4\n"), "samples");
  PlanOptions options;
  options.overrides = {"draw=2"};
  CHECK(place.errors(machine_text + uncertainty(4), options).find("sets the axis 'draw' itself") != std::string::npos);
}

namespace {

/// Adds the constants of a table that need a range and have none.
void find_rangeless(const toml::table& table, const std::string& path, std::vector<std::string>& found) {
  for (const auto& [key, node] : table) {
    const toml::table* inner = node.as_table();
    if (inner == nullptr) continue;
    const std::string name = fmt::format("{}.{}", path, key.str());
    if (!inner->contains("value")) {
      find_rangeless(*inner, name, found);
      continue;
    }
    // The card on which the other constants of [fitted] were fitted: no constant of the model.
    if (name.ends_with("fitted.on")) continue;
    const std::string basis = (*inner)["basis"].value_or(std::string());
    const std::string source = (*inner)["source"].value_or(std::string());
    const bool sounds_uncertain = std::ranges::any_of(
        std::vector<std::string>{"assum", "not printed", "a reading", "calibrated", "derived", "scripts/calibrate"},
        [&](const std::string& word) { return source.starts_with(word); });
    const bool uncertain = basis == "assumed" || basis == "calibrated" || inner->contains("calibrated");
    const bool has_range = inner->contains("low") || inner->contains("alternatives");
    if ((uncertain && !has_range) || (sounds_uncertain && basis.empty())) found.push_back(name);
  }
}

}  // namespace

TEST_CASE("Every shipped constant that is assumed or calibrated has a range", "[uncertainty]") {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("configs/hardware")) {
    if (entry.path().extension() != ".toml") continue;
    find_rangeless(toml::parse_file(entry.path().string()), entry.path().stem().string(), found);
  }
  CAPTURE(found);
  CHECK(found.empty());
}
