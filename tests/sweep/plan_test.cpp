#include "sweep/plan.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

using Texts = std::vector<std::string>;

const std::string machine_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\n";
const std::string plain_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n";

std::size_t axis(const Study& study, const char* name) {
  return static_cast<std::size_t>(study.schema().axis_index(name));
}

}  // namespace

TEST_CASE("A study of fixed values is one point") {
  const Workplace place;
  const Plan plan =
      place.load(machine_text + "doc = \"a study\"\nmodel = \"swin-b\"\nbatch = 4\nshare = 1\nbuffer = \"2 KiB\"\n");
  REQUIRE(plan.studies.size() == 1);
  const Study& study = plan.studies[0];
  CHECK(plan.name == "x");
  CHECK(study.id() == "s");
  CHECK(study.doc() == "a study");
  CHECK(study.system() == "machine");
  CHECK(study.size() == 1);
  Point point(study.schema().axes.size());
  study.point(0, point);
  CHECK(point.text(axis(study, "model")) == "swin-b");
  CHECK(point.integer(axis(study, "batch")) == 4);
  CHECK(point.real(axis(study, "share")) == 1.0);
  CHECK(type_of(point[axis(study, "share")]) == ValueType::real);
  CHECK(point.integer(axis(study, "buffer")) == 2048);
  CHECK(point.boolean(axis(study, "reuse")));
  CHECK(point.integer(axis(study, "hardware.node_array.rows")) == 8);
  CHECK(point.real(axis(study, "hardware.clock")) == 4e8);
  CHECK(point.text(axis(study, "hardware.noc.transfer")) == "pipelined");
}

TEST_CASE("A value says where it comes from") {
  const Workplace place;
  const Plan plan =
      place.load(machine_text + "\"hardware.clock\" = \"1 GHz\"\n[study.axes]\nmodel = [\"swin-b\", \"vit-b\"]\n");
  const Study& study = plan.studies[0];
  CHECK(study.origin_of(axis(study, "model")).text == "experiment");
  CHECK(study.origin_of(axis(study, "hardware.clock")).text == "experiment");
  CHECK(study.origin_of(axis(study, "hardware.node_array.rows")).text == "hardware small: Table I");
  CHECK(study.origin_of(axis(study, "hardware.noc.transfer")).text == "default");
  CHECK(study.origin_of(axis(study, "batch")).text == "default");
  REQUIRE(study.hardware().size() == 1);
  CHECK(study.hardware()[0]->constants.at("noc.link_bandwidth").calibrated_to == Texts{"fig11-avg"});
}

TEST_CASE("Axes multiply in file order, the first slowest") {
  const Workplace place;
  const Plan plan = place.load(plain_text + "[study.axes]\nc = [1, 2]\na = [10, 20, 30]\nb = 7\n");
  const Study& study = plan.studies[0];
  CHECK(study.size() == 6);
  CHECK(column(study, "c") == Texts{"1", "1", "1", "2", "2", "2"});
  CHECK(column(study, "a") == Texts{"10", "20", "30", "10", "20", "30"});
  CHECK(column(study, "b") == Texts(6, "7"));
  CHECK(study.varies(axis(study, "c")));
  CHECK(study.varies(axis(study, "a")));
  CHECK_FALSE(study.varies(axis(study, "b")));
  CHECK_FALSE(study.varies(axis(study, "d")));
}

TEST_CASE("Zips advance together, after the axes, wherever they stand") {
  const Workplace place;
  const Plan plan = place.load(
      plain_text + "[[study.zip]]\nb = [1, 2]\na = [3, 3]\n[study.axes]\nf = [8, 9]\n[[study.zip]]\nd = [5, 6, 5]\n");
  const Study& study = plan.studies[0];
  CHECK(study.size() == 12);
  CHECK(column(study, "f") == Texts{"8", "8", "8", "8", "8", "8", "9", "9", "9", "9", "9", "9"});
  CHECK(column(study, "b") == Texts{"1", "1", "1", "2", "2", "2", "1", "1", "1", "2", "2", "2"});
  CHECK(column(study, "d") == Texts{"5", "6", "5", "5", "6", "5", "5", "6", "5", "5", "6", "5"});
  CHECK(study.varies(axis(study, "b")));
  CHECK_FALSE(study.varies(axis(study, "a")));
}

TEST_CASE("A hardware key can be an axis") {
  const Workplace place;
  const Plan plan =
      place.load(machine_text +
                 "model = \"swin-b\"\n[study.axes]\n\"hardware.noc.link_bandwidth\" = [\"1 GB/s\", \"16 Gbit/s\"]\n");
  CHECK(column(plan.studies[0], "hardware.noc.link_bandwidth") == Texts{"1000000000", "2000000000"});
}

TEST_CASE("Mixed radix visits what a nested loop visits") {
  const Workplace place;
  std::mt19937 random(11);
  const Texts names{"a", "b", "c", "d", "e", "f"};
  for (int round = 0; round < 100; ++round) {
    // Each axis goes to the cartesian part, to a zip of its own, or stays at its default.
    std::string axes;
    std::string zips;
    std::vector<std::pair<std::size_t, std::vector<int>>> loops;
    std::vector<std::pair<std::size_t, std::vector<int>>> zip_loops;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto kind = random() % 3;
      if (kind == 2) continue;
      std::vector<int> values(1 + random() % 4);
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int>(random() % 50 * 10 + k);
      const std::string line = fmt::format("{} = [{}]\n", names[i], fmt::join(values, ", "));
      if (kind == 0) {
        axes += line;
        loops.emplace_back(i, values);
      } else {
        zips += "[[study.zip]]\n" + line;
        zip_loops.emplace_back(i, values);
      }
    }
    loops.insert(loops.end(), zip_loops.begin(), zip_loops.end());

    std::vector<std::vector<int>> expected(1, std::vector<int>(names.size(), 0));
    for (const auto& [name, values] : loops) {
      std::vector<std::vector<int>> longer;
      for (const auto& row : expected) {
        for (const int value : values) {
          longer.push_back(row);
          longer.back()[name] = value;
        }
      }
      expected = std::move(longer);
    }

    const Plan plan = place.load(plain_text + "[study.axes]\n" + axes + zips);
    const Study& study = plan.studies[0];
    REQUIRE(study.size() == expected.size());
    Point point(names.size());
    for (std::uint64_t i = study.size(); i-- > 0;) {
      study.point(i, point);
      for (std::size_t k = 0; k < names.size(); ++k) CHECK(point.integer(k) == expected[i][k]);
    }
  }
}

TEST_CASE("The plan numbers the points of all studies") {
  const Workplace place;
  const Plan plan = place.load(
      "name = \"x\"\n[[study]]\nid = \"one\"\nsystem = \"plain\"\n[study.axes]\na = [1, 2, 3]\n"
      "[[study]]\nid = \"two\"\nsystem = \"plain\"\n[[study]]\nid = \"three\"\nsystem = \"plain\"\n[study.axes]\nb = "
      "[1, 2]\n");
  CHECK(plan.size() == 6);
  CHECK(plan.offset(0) == 0);
  CHECK(plan.offset(1) == 3);
  CHECK(plan.offset(2) == 4);
  for (std::uint64_t global = 0; global < plan.size(); ++global) {
    const Plan::Location location = plan.locate(global);
    CHECK(plan.offset(location.study) + location.index == global);
    CHECK(location.index < plan.studies[location.study].size());
  }
  CHECK_THROWS_AS(plan.locate(6), std::out_of_range);
}

TEST_CASE("Only the chosen studies are planned") {
  const Workplace place;
  const std::string text =
      "name = \"x\"\n[[study]]\nid = \"fig4\"\nsystem = \"plain\"\n[[study]]\nid = \"fig11\"\nsystem = \"plain\"\n";
  const Plan plan = place.load(text, {{}, {"fig11"}, {}});
  REQUIRE(plan.studies.size() == 1);
  CHECK(plan.studies[0].id() == "fig11");
  CHECK(place.errors(text, {{}, {"fig12"}, {}}) ==
        "--study fig12: unknown study (did you mean 'fig11'?); studies: fig4, fig11");
}

TEST_CASE("An override wins over the file") {
  const Workplace place;
  const std::string text = machine_text +
                           "batch = 2\n[study.axes]\nmodel = [\"swin-t\", \"swin-b\"]\n[[study.zip]]\n"
                           "\"hardware.node_array.rows\" = [8, 16]\nshare = [0.25, 0.75]\n";
  const auto with = [&](std::vector<std::string> overrides) {
    return place.load(text, {{}, {}, std::move(overrides)});
  };
  CHECK(with({}).size() == 4);
  CHECK(column(with({"batch=8"}).studies[0], "batch") == Texts(4, "8"));
  CHECK(column(with({"model=vit-b"}).studies[0], "model") == Texts(2, "vit-b"));
  CHECK(column(with({"hardware.node_array.rows=4"}).studies[0], "hardware.node_array.rows") == Texts(4, "4"));
  CHECK(with({"hardware.node_array.rows=4", "share=1"}).size() == 2);
  CHECK(column(with({"hardware.clock=1 GHz"}).studies[0], "hardware.clock") == Texts(4, "1000000000"));
  CHECK(column(with({"reuse=false"}).studies[0], "reuse") == Texts(4, "false"));
  CHECK(column(with({"schedule=a=b"}).studies[0], "schedule") == Texts(4, "a=b"));

  // An override can also give what the file leaves open.
  CHECK(place.load(machine_text, {{}, {}, {"model=vit-b"}}).size() == 1);
}

TEST_CASE("A wrong override is refused") {
  const Workplace place;
  const std::string text = machine_text + "model = \"swin-b\"\n";
  const auto errors = [&](std::vector<std::string> overrides) {
    return place.errors(text, {{}, {}, std::move(overrides)});
  };
  CHECK(errors({"bach=4"}) == "--set bach=4: no study has an axis 'bach' (did you mean 'batch'?)");
  CHECK(errors({"batch"}) == "--set batch: expected an axis and its value, for example --set batch=4");
  CHECK(errors({"=4"}) == "--set =4: expected an axis and its value, for example --set batch=4");
  CHECK(errors({"batch=0"}) == "--set batch=0: axis 'batch' must be at least 1, got 0");
  CHECK(errors({"batch=x"}) == "--set batch=x: axis 'batch': expected an integer, got 'x' (text)");
  CHECK(errors({"batch=2", "batch=4"}) == "--set batch=4: axis 'batch' is set twice");
  CHECK(errors({"hardware.clock=400"}) ==
        "--set hardware.clock=400: axis 'hardware.clock': '400' has no unit; a quantity in Hz is needed, for example "
        "'400 "
        "MHz'");
}

TEST_CASE("Equal input has the same hash, wherever it lies") {
  const Workplace one;
  const Workplace two;
  const std::string text = machine_text + "model = \"swin-b\"\n[study.axes]\nbatch = [1, 2]\n";
  const Hash128 hash = one.load(text).hash();
  CHECK(two.load(text).hash() == hash);
  CHECK(one.load("# a comment\n" + text).hash() == hash);
  CHECK(one.load(machine_text + "buffer = \"1 KiB\"\nmodel = \"swin-b\"\n[study.axes]\nbatch = [1, 2]\n").hash() ==
        hash);
}

TEST_CASE("The hash changes with anything that decides points") {
  const Workplace place;
  std::set<Hash128> hashes;
  const std::string axes = "[study.axes]\nbatch = [1, 2]\n";
  const std::vector<std::string> variants{
      machine_text + "model = \"swin-b\"\n" + axes,
      machine_text + "model = \"swin-t\"\n" + axes,
      machine_text + "model = \"swin-b\"\nreuse = false\n" + axes,
      machine_text + "model = \"swin-b\"\n\"hardware.clock\" = \"401 MHz\"\n" + axes,
      machine_text + "model = \"swin-b\"\n[study.axes]\nbatch = [2, 1]\n",
      machine_text + "model = \"swin-b\"\n[study.axes]\nbatch = [1, 2, 3]\n",
      machine_text + "model = \"swin-b\"\n[study.axes]\nbatch = [1, 2]\nreuse = [true, false]\n",
      machine_text + "model = \"swin-b\"\n[study.axes]\nreuse = [true, false]\nbatch = [1, 2]\n",
      machine_text + "model = \"swin-b\"\n[[study.zip]]\nreuse = [true, false]\nbatch = [1, 2]\n",
      machine_text + "model = \"swin-b\"\n[study.table]\ncsv = \"t.csv\"\n",
      "name = \"x\"\n[[study]]\nid = \"other\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n" +
          axes,
  };
  place.write("t.csv", "batch\n7\n");
  for (const std::string& variant : variants) CHECK(hashes.insert(place.load(variant).hash()).second);
  CHECK(hashes.insert(place.load(variants[0], {{}, {}, {"share=0.75"}}).hash()).second);
  place.write("t.csv", "batch\n8\n");
  CHECK(hashes.insert(place.load(variants[9]).hash()).second);
  std::string hardware = small_hardware;
  hardware.replace(hardware.find("400 MHz"), 7, "500 MHz");
  place.write("configs/hardware/small.toml", hardware);
  CHECK(hashes.insert(place.load(variants[0]).hash()).second);
}

TEST_CASE("Any point of a huge plan is found at once") {
  const Workplace place;
  std::string axes = "[study.axes]\n";
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = i;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    axes += fmt::format("{} = [{}]\n", name, fmt::join(values, ","));
  const Plan plan = place.load(plain_text + axes);
  CHECK(plan.size() == 1'000'000'000'000'000'000U);
  Point point(6);
  plan.studies[0].point(123'456'789'012'345'678U, point);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::int64_t expected[] = {123, 456, 789, 12, 345, 678};
    CHECK(point.integer(i) == expected[i]);
  }
}
