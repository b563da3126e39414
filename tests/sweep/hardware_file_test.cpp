#include "sweep/hardware_file.h"

#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::test;
using namespace pimsweep;
using namespace pimsweep::systems;

TEST_CASE("A hardware file is found by name and by path") {
  const Workplace place;
  const HardwareFile by_name = load_hardware("small", schema_of("machine"), place.path("configs"));
  const HardwareFile by_path = load_hardware(place.path("configs/hardware/small.toml"), schema_of("machine"), "");
  for (const HardwareFile& file : {by_name, by_path}) {
    CHECK(file.name == "small");
    CHECK(file.doc == "A machine for tests");
    CHECK(file.text == small_hardware);
    REQUIRE(file.constants.size() == 3);
    CHECK(std::get<double>(file.constants.at("clock").value) == 4e8);
    CHECK(std::get<std::int64_t>(file.constants.at("node_array.rows").value) == 8);
    CHECK(file.constants.at("noc.link_bandwidth").source == "fitted");
    CHECK(file.constants.at("noc.link_bandwidth").calibrated_to == std::vector<std::string>{"fig11-avg"});
    CHECK(file.constants.at("clock").calibrated_to.empty());
    CHECK(file.constants.at("clock").where.line == 4);
  }
  CHECK(hardware_names(place.path("configs")) == std::vector<std::string>{"small"});
  CHECK(hardware_names(place.path("nowhere")).empty());
}

TEST_CASE("A machine may be made of parts, and say some of it itself") {
  const Workplace place;
  const std::string text = small_hardware;
  const std::string rest = text.substr(0, text.find("[noc"));
  place.write("configs/hardware/links.toml",
              "name = \"links\"\n[link_bandwidth]\nvalue = \"2 GB/s\"\nsource = \"standard\"\n");
  const auto load = [&](const std::string& file) {
    place.write("parts.toml", file);
    return load_hardware(place.path("parts.toml"), schema_of("machine"), place.path("configs"));
  };
  const HardwareFile taken = load(rest + "[parts]\nnoc = \"links\"\n");
  CHECK(std::get<double>(taken.constants.at("noc.link_bandwidth").value) == 2e9);
  CHECK(taken.constants.at("noc.link_bandwidth").source == "standard");
  CHECK(taken.text.find("# part noc") != std::string::npos);
  CHECK(taken.name == "small");
  const HardwareFile replaced = load(text + "[parts]\nnoc = \"links\"\n");
  CHECK(std::get<double>(replaced.constants.at("noc.link_bandwidth").value) == 3.2e9);

  const auto problem = [&](const std::string& parts) {
    try {
      load(text + parts);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("(no error)");
  };
  CHECK_THAT(problem("[parts]\nnoc = \"linke\"\n"),
             Catch::Contains("unknown hardware 'linke'") && Catch::Contains("links"));
  CHECK_THAT(problem("[parts]\nnok = \"links\"\n"),
             Catch::Contains("does not have a section 'nok'") && Catch::Contains("noc"));
  CHECK_THAT(problem("[parts]\nnoc = 4\n"), Catch::Contains("expected the name of a hardware file as a part"));
  CHECK(problem("[parts.noc]\n") != "(no error)");
}

TEST_CASE("A machine may be another one but for some constants") {
  const Workplace place;
  place.write("configs/hardware/first.toml", small_hardware);
  const auto load = [&](const std::string& file) {
    place.write("second.toml", file);
    return load_hardware(place.path("second.toml"), schema_of("machine"), place.path("configs"));
  };
  const HardwareFile file =
      load("name = \"second\"\nbase = \"first\"\n[noc.link_bandwidth]\nvalue = \"2 GB/s\"\nsource = \"x\"\n");
  CHECK(file.name == "second");
  CHECK(std::get<double>(file.constants.at("noc.link_bandwidth").value) == 2e9);
  const HardwareFile first = load(small_hardware);
  CHECK(file.constants.size() == first.constants.size());
  CHECK(file.constants.at("clock").value == first.constants.at("clock").value);
  CHECK(file.text.find("# base: ") != std::string::npos);
  CHECK_THROWS_WITH(load("base = \"fist\"\n"), Catch::Contains("unknown hardware 'fist'"));

  // A base, or a part, may build on another file.
  place.write("configs/hardware/middle.toml", "base = \"first\"\n[clock]\nvalue = \"3 GHz\"\nsource = \"x\"\n");
  const HardwareFile third = load("base = \"middle\"\n[noc.link_bandwidth]\nvalue = \"2 GB/s\"\nsource = \"x\"\n");
  CHECK(third.constants.size() == first.constants.size());
  CHECK(std::get<double>(third.constants.at("clock").value) == 3e9);
  CHECK(std::get<double>(third.constants.at("noc.link_bandwidth").value) == 2e9);
  place.write("configs/hardware/links.toml", "[link_bandwidth]\nvalue = \"4 GB/s\"\nsource = \"x\"\n");
  place.write("configs/hardware/same-links.toml", "base = \"links\"\n");
  const HardwareFile with_part = load("base = \"first\"\n[parts]\nnoc = \"same-links\"\n");
  CHECK(std::get<double>(with_part.constants.at("noc.link_bandwidth").value) == 4e9);
  place.write("configs/hardware/links.toml", "base = \"same-links\"\n");
  CHECK_THROWS_WITH(load("base = \"first\"\n[parts]\nnoc = \"links\"\n"), Catch::Contains("is its own base: "));
}

TEST_CASE("A hardware file without a name is called like the file") {
  const Workplace place;
  const std::string text = small_hardware;
  place.write("big.toml", text.substr(text.find('\n') + 1));
  CHECK(load_hardware(place.path("big.toml"), schema_of("machine"), "").name == "big");
}

TEST_CASE("An experiment finds a hardware file by a path relative to itself") {
  const Workplace place;
  place.write("machines/big.toml", small_hardware);
  const Plan plan = place.load(
      "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"machines/big.toml\"\nmodel = "
      "\"swin-b\"\n");
  CHECK(plan.studies[0].hardware().at(0)->path == place.path("machines/big.toml"));
}

TEST_CASE("Every problem of a hardware file is reported") {
  CHECK(hardware_errors("nam = \"h\"\n"
                        "[clock]\nvalue = 400\nsource = \"\"\nsauce = \"x\"\n"
                        "[node_array.rows]\nvalue = 65\n"
                        "[node_array.cols]\nvalue = 4\nsource = \"x\"\n"
                        "[noc.transfer]\nvalue = \"pipeline\"\nsource = \"x\"\ncalibrated = [3]\n") ==
        "h.toml: the constant [noc.link_bandwidth] is missing (B/s); system 'machine' requires it\n"
        "h.toml:1:1: system 'machine' does not have a hardware constant 'nam'\n"
        "h.toml:3:9: axis 'hardware.clock': '400' has no unit; a quantity in Hz is needed, for example '400 MHz'\n"
        "h.toml:4:10: 'source': expected nonempty text, got the text ''\n"
        "h.toml:5:1: unknown key 'sauce' in [clock] (did you mean 'source'?); allowed: value, source, basis, "
        "calibrated, low, high, alternatives, distribution, range, tied, note\n"
        "h.toml:6:13: [node_array.rows] does not have source, the origin of the number\n"
        "h.toml:7:9: axis 'hardware.node_array.rows' must be at most 64, got 65\n"
        "h.toml:8:13: system 'machine' does not have a hardware constant 'node_array.cols' (did you mean "
        "'node_array.rows'?)\n"
        "h.toml:12:9: 'pipeline' is not a value of axis 'hardware.noc.transfer' (did you mean 'pipelined'?); allowed: "
        "pipelined, store-and-forward\n"
        "h.toml:14:15: 'calibrated': expected the ids of published values, got the integer 3");
}

TEST_CASE("A constant is a table with one value") {
  const std::string rest =
      "[clock]\nvalue = \"1 GHz\"\nsource = \"x\"\n[noc.link_bandwidth]\nvalue = \"1 B/s\"\nsource = \"x\"\n";
  CHECK(hardware_errors("name = \"h\"\n" + rest + "[node_array]\nrows = 8\n")
            .find("h.toml:9:8: 'node_array.rows': expected a table") == 0);
  CHECK(hardware_errors("name = \"h\"\n" + rest + "[node_array.rows]\nvalue = [8]\nsource = \"x\"\n") ==
        "h.toml:9:9: 'hardware.node_array.rows': expected one value, got a list");
  CHECK(hardware_errors("name = \"h\"\n" + rest + "[node_array.rows]\nsource = \"x\"\n") ==
        "h.toml:8:13: [node_array.rows] does not have value");
  CHECK(hardware_errors("name = \"h\"\n" + rest + "[node_array.rows]\nvalue = 8\nsource = \"x\"\ncalibrated = []\n") ==
        "h.toml:11:14: 'calibrated' needs at least one id of a published value");
  CHECK(hardware_errors("name = \"h\"\n" + rest +
                        "[node_array.rows]\nvalue = 8\nsource = \"x\"\n[gpu]\n[node_arr]\nx = 1\n") ==
        "h.toml:11:2: system 'machine' does not have a hardware constant 'gpu'\n"
        "h.toml:12:2: system 'machine' does not have a hardware constant 'node_arr' (did you mean 'node_array.rows'?)");
}

TEST_CASE("What is wrong in a hardware file is said once, with the experiment's own problems") {
  const Workplace place;
  place.write("configs/hardware/bad.toml", "name = \"bad\"\n[clock\n");
  const std::string message = place.errors(
      "name = \"x\"\n[[study]]\nid = \"one\"\nsystem = \"machine\"\nhardware = \"bad\"\nmodel = \"swin-b\"\nbatch = 0\n"
      "[[study]]\nid = \"two\"\nsystem = \"machine\"\nhardware = \"bad\"\nmodel = \"swin-b\"\n");
  CHECK(message.find("configs/hardware/bad.toml:2:7: not valid TOML: ") == 0);
  CHECK(message.find("bad.toml", 20) == std::string::npos);
  CHECK(message.find("\nx.toml:7:9: axis 'batch' must be at least 1, got 0") != std::string::npos);
}

TEST_CASE("A hardware file of wrong structure is reported as such") {
  CHECK_THAT(hardware_errors("clock = \"400 MHz\"\nnode_array = 8\nnoc = [1]\n"),
             Catch::Contains("h.toml:1:9: 'clock': expected a table with value and source") &&
                 Catch::Contains("h.toml:2:1: system 'machine' does not have a hardware constant 'node_array'") &&
                 Catch::Contains("h.toml:3:1: system 'machine' does not have a hardware constant 'noc'"));
  CHECK_THAT(hardware_errors("[clock]\nvalue = { a = 1 }\nsource = 5\n"),
             Catch::Contains("h.toml:2:9: 'hardware.clock': expected one value, got a table") &&
                 Catch::Contains("h.toml:3:10: 'source': expected nonempty text, got the integer 5"));
  CHECK_THAT(hardware_errors("[clock]\nvalue = ;5\n"), Catch::Contains("h.toml:2:9: not valid TOML"));
  CHECK_THAT(hardware_errors("name = 1\ndoc = []\nparts = 3\nbase = 1\n"),
             Catch::Contains("h.toml:3:9: 'parts': expected"));
}

TEST_CASE("A hardware file of another format is refused with what to do, and nothing else of it is reported") {
  const std::string text = small_hardware;
  CHECK(hardware_errors("format = \"1.0\"\n" + text) == "(no error)");
  CHECK_THAT(
      hardware_errors("format = \"1.3\"\nnews = 1\n"),
      Catch::Contains("h.toml:1:10: the hardware file has format 1.3, and this program reads 1.0: use a newer") &&
          !Catch::Contains("news"));
}
