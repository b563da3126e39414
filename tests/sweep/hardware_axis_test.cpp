#include "sweep/hardware_axis.h"

#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

using Texts = std::vector<std::string>;

/// A machine like small.toml with another clock, another number of rows and an optional constant.
const std::string large_hardware = R"(name = "The large machine"
[clock]
value = "800 MHz"
source = "data sheet, page 4"
[node_array.rows]
value = 16
source = "Table II"
[noc.link_bandwidth]
value = "3.2 GB/s"
source = "measured"
[noc.transfer]
value = "store-and-forward"
source = "Section 5"
)";

const std::string head = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\n";
const std::string study_of_both = head + "model = \"swin-b\"\nhardware = [\"small\", \"large\"]\n";

/// A folder with two hardware files.
class MachineFolder : public Workplace {
 public:
  MachineFolder() { write("configs/hardware/large.toml", large_hardware); }
};

std::size_t axis(const Study& study, const std::string& name) {
  return static_cast<std::size_t>(study.schema().axis_index(name));
}

std::vector<std::string> sources(const Study& study, const std::string& name) {
  std::vector<std::string> found;
  Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    found.push_back(study.origin_of(axis(study, name), point).text);
  }
  return found;
}

}  // namespace

TEST_CASE("Each point has the constants of its hardware file") {
  const MachineFolder place;
  const Plan plan = place.load(study_of_both + "[study.axes]\nbatch = [1, 2]\n");
  const Study& study = plan.studies[0];
  CHECK(column(study, "hardware") == Texts{"small", "small", "large", "large"});
  CHECK(column(study, "batch") == Texts{"1", "2", "1", "2"});
  CHECK(column(study, "hardware.clock") == Texts{"400000000", "400000000", "800000000", "800000000"});
  CHECK(column(study, "hardware.node_array.rows") == Texts{"8", "8", "16", "16"});
  CHECK(column(study, "hardware.noc.link_bandwidth") == Texts(4, "3200000000"));
  // Only one of the files gives it.
  CHECK(column(study, "hardware.noc.transfer") ==
        Texts{"pipelined", "pipelined", "store-and-forward", "store-and-forward"});
  CHECK(study.varies(axis(study, "hardware")));
  CHECK(study.varies(axis(study, "hardware.clock")));
  CHECK_FALSE(study.varies(axis(study, "hardware.noc.link_bandwidth")));
  REQUIRE(study.hardware().size() == 2);
  CHECK(study.hardware()[1]->short_name == "large");
  CHECK(study.hardware()[1]->text == large_hardware);
}

TEST_CASE("The source of a constant is reported for the study and for a point") {
  const MachineFolder place;
  const Plan plan = place.load(study_of_both + "\"hardware.node_array.rows\" = 4\n");
  const Study& study = plan.studies[0];
  CHECK(study.origin_of(axis(study, "hardware")).text == "experiment");
  CHECK(study.origin_of(axis(study, "hardware.clock")).text ==
        "hardware small: data sheet, page 3; hardware large: data sheet, page 4");
  CHECK(sources(study, "hardware.clock") ==
        Texts{"hardware small: data sheet, page 3", "hardware large: data sheet, page 4"});
  CHECK(sources(study, "hardware.noc.transfer") == Texts{"default", "hardware large: Section 5"});
  CHECK(sources(study, "hardware.node_array.rows") == Texts{"experiment", "experiment"});
  CHECK(sources(study, "batch") == Texts{"default", "default"});
  CHECK(study.follows_hardware(axis(study, "hardware.clock")));
  CHECK_FALSE(study.follows_hardware(axis(study, "hardware.node_array.rows")));
  CHECK_FALSE(study.follows_hardware(axis(study, "batch")));
}

TEST_CASE("Hardware may be an axis, part of a zip, a column of a table or drawn") {
  const MachineFolder place;
  const std::string model = head + "model = \"swin-b\"\n";
  const Texts clocks{"800000000", "400000000"};
  const auto load = [&](const std::string& rest) { return place.load(model + rest).studies[0]; };

  CHECK(column(load("[study.axes]\nhardware = [\"large\", \"small\"]\n"), "hardware.clock") == clocks);
  const Study zipped = load("[[study.zip]]\nhardware = [\"large\", \"small\", \"large\"]\nbatch = [1, 2, 3]\n");
  CHECK(column(zipped, "hardware.node_array.rows") == Texts{"16", "8", "16"});
  CHECK(zipped.hardware().size() == 2);

  place.write("t.csv", "batch,hardware\n1,small\n2,configs/hardware/large.toml\n3,small\n");
  const Study listed = load("[study.table]\ncsv = \"t.csv\"\n[study.axes]\nreuse = [true, false]\n");
  CHECK(column(listed, "hardware") == Texts{"small", "large", "small", "small", "large", "small"});
  CHECK(column(listed, "hardware.node_array.rows") == Texts{"8", "16", "8", "8", "16", "8"});

  const Study drawn = load(
      "[study.sample]\nmethod = \"lhs\"\npoints = 6\n[study.sample.ranges]\nhardware = [\"small\", \"large\"]\n"
      "batch = { from = 1, to = 6 }\n");
  const Texts machines = column(drawn, "hardware");
  const Texts rows = column(drawn, "hardware.node_array.rows");
  CHECK(std::count(machines.begin(), machines.end(), "large") == 3);
  for (std::size_t i = 0; i < machines.size(); ++i) CHECK(rows[i] == (machines[i] == "small" ? "8" : "16"));
}

TEST_CASE("What the experiment or --set says of a constant wins over every file") {
  const MachineFolder place;
  const Plan plan = place.load(study_of_both + "[study.axes]\n\"hardware.clock\" = [\"1 GHz\", \"2 GHz\"]\n");
  CHECK(column(plan.studies[0], "hardware.clock") == Texts{"1000000000", "2000000000", "1000000000", "2000000000"});
  CHECK(column(plan.studies[0], "hardware.node_array.rows") == Texts{"8", "8", "16", "16"});

  const Plan set = place.load(study_of_both, {{}, {}, {"hardware.clock=3 GHz"}});
  CHECK(column(set.studies[0], "hardware.clock") == Texts{"3000000000", "3000000000"});

  const Plan one = place.load(study_of_both, {{}, {}, {"hardware=large"}});
  CHECK(column(one.studies[0], "hardware") == Texts{"large"});
  CHECK(column(one.studies[0], "hardware.node_array.rows") == Texts{"16"});
  CHECK(one.studies[0].hardware().size() == 1);
  CHECK(place.errors(study_of_both, {{}, {}, {"hardware=larg"}}) ==
        "--set hardware=larg: unknown hardware 'larg' (did you mean 'large'?); available: large, small; searched "
        "in configs/hardware");
}

TEST_CASE("Conditions know the hardware and its constants") {
  const MachineFolder place;
  const auto batches = [&](const std::string& where) {
    return column(place.load(study_of_both + "where = \"" + where + "\"\n[study.axes]\nbatch = [1, 2]\n").studies[0],
                  "hardware");
  };
  CHECK(batches("hardware == 'large'") == Texts{"large", "large"});
  CHECK(batches("hardware.clock < '500 MHz' || batch == 2") == Texts{"small", "small", "large"});
  CHECK(batches("hardware.noc.transfer != 'pipelined' && batch == 1") == Texts{"large"});
  const Plan set =
      place.load(study_of_both + "where = \"(hardware == 'large') == (batch == 2)\"\n[study.axes]\nbatch = [1, 2]\n",
                 {{}, {}, {"hardware=small"}});
  CHECK(column(set.studies[0], "batch") == Texts{"1"});
  CHECK(place.errors(study_of_both + "where = \"hardware == 'larg'\"\n") ==
        "x.toml:7:22: 'larg' is not a value of axis 'hardware' (did you mean 'large'?); allowed: small, large");
}

TEST_CASE("An empty cell of a constant has the value of the row's hardware") {
  const MachineFolder place;
  place.write("t.csv", "hardware.clock,hardware\n,small\n1 GHz,large\n,large\n");
  const std::string table = "[study.table]\ncsv = \"t.csv\"\n";
  CHECK(column(place.load(head + "model = \"swin-b\"\n" + table).studies[0], "hardware.clock") ==
        Texts{"400000000", "1000000000", "800000000"});
  place.write("t.csv", "hardware.clock,hardware.noc.link_bandwidth\n,\n");
  CHECK(place.errors(study_of_both + table) ==
        "t.csv:2:1: the hardware files have several values of 'hardware.clock': this cell cannot be empty");
  place.write("t.csv", "batch,hardware\n1,small\n2,\n");
  CHECK(place.errors(head + "model = \"swin-b\"\n" + table) ==
        "t.csv:3:3: axis 'hardware' has no default: this cell cannot be empty");
}

TEST_CASE("A system whose constants have defaults needs no hardware file") {
  const MachineFolder place;
  place.write("configs/hardware/fast.toml", "[speed]\nvalue = 50\nsource = \"x\"\n");
  const std::string optional = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"optional\"\n";
  const Plan without = place.load(optional);
  CHECK(column(without.studies[0], "hardware") == Texts{""});
  CHECK(column(without.studies[0], "hardware.speed") == Texts{"5"});
  CHECK(sources(without.studies[0], "hardware.speed") == Texts{"default"});
  CHECK(without.studies[0].origin_of(axis(without.studies[0], "hardware.speed")).text == "default");
  CHECK(without.studies[0].hardware().empty());

  place.write("t.csv", "hardware,hardware.size\nfast,\n,8\n,\n");
  const Plan mixed = place.load(optional + "[study.table]\ncsv = \"t.csv\"\n");
  CHECK(column(mixed.studies[0], "hardware") == Texts{"fast", "", ""});
  CHECK(column(mixed.studies[0], "hardware.speed") == Texts{"50", "5", "5"});
  CHECK(column(mixed.studies[0], "hardware.size") == Texts{"7", "8", "7"});
  CHECK(sources(mixed.studies[0], "hardware.speed") == Texts{"hardware fast: x", "default", "default"});
  place.write("t.csv", "hardware [s],hardware.size\nfast,\n");
  CHECK(place.errors(optional + "[study.table]\ncsv = \"t.csv\"\n") ==
        "t.csv:1:1: axis 'hardware' is text and cannot have a unit, got [s]");
}

TEST_CASE("Every hardware file is checked, with all its problems") {
  const MachineFolder place;
  place.write("configs/hardware/a.toml", "[clok]\nvalue = \"1 GHz\"\nsource = \"x\"\n");
  place.write("configs/hardware/b.toml", std::string(small_hardware) + "[more]\nvalue = 1\n");
  CHECK(
      place.errors(head + "model = \"swin-b\"\nhardware = [\"a\", \"small\", \"b\", \"none\"]\n") ==
      "configs/hardware/a.toml: the constant [node_array.rows] is missing (1); system 'machine' requires it\n"
      "configs/hardware/a.toml: the constant [clock] is missing (Hz); system 'machine' requires it\n"
      "configs/hardware/a.toml: the constant [noc.link_bandwidth] is missing (B/s); system 'machine' requires it\n"
      "configs/hardware/a.toml:1:2: system 'machine' does not have a hardware constant 'clok' (did you mean 'clock'?)\n"
      "configs/hardware/b.toml:17:2: system 'machine' does not have a hardware constant 'more'\n"
      "x.toml:6:32: unknown hardware 'none'; available: large, small; searched in configs/hardware");
}

TEST_CASE("Hardware is named once and has one name") {
  const MachineFolder place;
  place.write("other/small.toml", small_hardware);
  const std::string model = head + "model = \"swin-b\"\n";
  CHECK(place.errors(model + "hardware = [\"small\", \"large\", \"small\"]\n") ==
        "x.toml:6:31: axis 'hardware' has the value small twice: first at x.toml:6:13");
  CHECK_THAT(place.errors(model + "[[study.zip]]\nhardware = [\"small\", \"other/small.toml\"]\n"),
             Catch::StartsWith("x.toml:7:22: two hardware files of the study have the name 'small': small and "));
  CHECK(place.errors(model + "hardware = [\"small\"]\n[study.axes]\nhardware = [\"large\"]\n") ==
        "x.toml:8:1: axis 'hardware' is set twice: first at x.toml:6:1");
  CHECK(place.errors(model + "hardware = 3\n") == "x.toml:6:12: axis 'hardware': expected text, got 3 (integer)");
}

TEST_CASE("The hash of a study counts the files in their order, the identity their constants alone") {
  const MachineFolder place;
  place.write("configs/hardware/copy.toml", small_hardware);
  const auto hash = [&](const std::string& files) {
    return place.load(head + "model = \"swin-b\"\nhardware = [" + files + "]\n").studies[0].hash();
  };
  CHECK(hash("\"small\", \"large\"") == hash("\"small\", \"large\""));
  CHECK(hash("\"small\", \"large\"") != hash("\"large\", \"small\""));
  CHECK(hash("\"small\"") != hash("\"copy\""));
  // To the system, which makes a point's identity, the axis does not exist.
  CHECK(schema_of("machine").axis_index("hardware") < 0);
  CHECK(with_hardware_axis(schema_of("machine")).axes.back().name == "hardware");
  CHECK(with_hardware_axis(schema_of("plain")).axis_index("hardware") < 0);
}
