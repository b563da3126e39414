#include "systems/axis_table.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "systems/column_table.h"

using namespace pimsweep;
using namespace pimsweep::systems;
using Catch::Matchers::Contains;

namespace {

enum class Color : std::uint8_t { red, green };
constexpr std::array color_words{Word{"red", Color::red}, Word{"verdant", Color::green}};

struct Rule {
  std::string_view name;
  int number;
};
constexpr std::array rules{Rule{"first", 1}, Rule{"second", 2}};

struct Engine {
  double clock = 0;
  std::int32_t units = 0;
};

struct Settings {
  std::string model;
  std::string_view note;
  bool flag = false;
  Color color = Color::red;
  const Rule* rule = nullptr;
  Engine engine;
};

AxisTable<Settings> make_axes() {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  axes.text(s.model, "model", "network to run")
      .text(s.note, "note", "remark of a test", "none")
      .flag(s.flag, "flag", "switch of a test", false)
      .choice(s.color, "color", color_words, "color of a test", Color::green)
      .policy(s.rule, rules, "rule of a test")
      .quantity(s.engine.clock, "hardware.clock", "Hz", 1, 1e12, "clock of a test")
      .count(s.engine.units, "hardware.units", 1, 100, "units of a test", 4, "cycle");
  return axes;
}

/// A point with these values, which must outlive it.
Point point_of(const std::vector<Value>& values) {
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  return point;
}

}  // namespace

TEST_CASE("a table declares axes and reads points into the members that they are bound to") {
  const AxisTable<Settings> axes = make_axes();
  REQUIRE(axes.axes().size() == 7);
  CHECK(axes.axes()[3].choices == std::vector<std::string>{"red", "verdant"});
  CHECK(axes.axes()[3].default_value == Value{std::string("verdant")});
  CHECK(axes.axes()[4].name == "policy");
  CHECK(axes.axes()[4].choices == std::vector<std::string>{"first", "second"});
  CHECK(axes.axes()[5].type == ValueType::real);
  CHECK(axes.axes()[5].unit == "Hz");
  CHECK_FALSE(axes.axes()[5].default_value);
  CHECK(axes.axes()[6].type == ValueType::integer);
  CHECK(axes.axes()[6].unit == "cycle");

  const std::vector<Value> values{
      std::string("net"), std::string("text"), true, std::string("red"), std::string("second"), 2e9, std::int64_t{7}};
  const Settings settings = axes.read(point_of(values));
  CHECK(settings.model == "net");
  CHECK(settings.note == "text");
  CHECK(settings.flag);
  CHECK(settings.color == Color::red);
  CHECK(settings.rule == &rules[1]);
  CHECK(settings.engine.clock == 2e9);
  CHECK(settings.engine.units == 7);
}

TEST_CASE("a table refuses names that are taken, foreign places and bounds that do not fit") {
  AxisTable<Settings> axes = make_axes();
  Settings& s = axes.layout();
  CHECK_THROWS_WITH(axes.flag(s.flag, "color", "switch of a test"), Contains("declared twice"));
  double elsewhere = 0;
  CHECK_THROWS_WITH(axes.quantity(elsewhere, "other", "1", 0, 1, "share of a test"), Contains("outside"));
  CHECK_THROWS_WITH(axes.count(s.engine.units, "many", 0, 1e12, "units of a test"), Contains("cannot hold"));
}

TEST_CASE("metrics are reals and texts, absent where an optional member is empty") {
  struct Result {
    double time = 1.5;
    std::optional<double> area;
    std::int64_t layers = 3;
    Color color = Color::green;
  };
  MetricTable<Result> metrics;
  const Result& r = metrics.layout();
  metrics.quantity(r.time, "time", "s", "time of a test")
      .quantity(r.area, "area", "m^2", "area of a test", "tests without area")
      .count(r.layers, "layers", "layers of a test")
      .choice(r.color, "color", color_words, "color of a test");
  Schema schema;
  schema.metrics = metrics.columns();
  Record record;
  record.reset(schema);
  metrics.write(Result{}, record);
  CHECK(std::get<double>(record.metrics[0]) == 1.5);
  CHECK(std::isnan(std::get<double>(record.metrics[1])));
  CHECK(std::get<double>(record.metrics[2]) == 3);
  CHECK(std::get<std::string>(record.metrics[3]) == "verdant");
  CHECK_THROWS_WITH(metrics.quantity(r.time, "time", "s", "time of a test"), Contains("declared twice"));
}

TEST_CASE("rows of a detail table follow each other, with counts as integers") {
  struct Row {
    std::int64_t step = 0;
    std::string_view name;
  };
  RowTable<Row> rows("steps", "one row for each step");
  rows.count(rows.layout().step, "step", "number of the step").text(rows.layout().name, "name", "name of the step");
  Schema schema;
  schema.tables.push_back({"other", "another table of a test", {}});
  rows.attach(schema);
  REQUIRE(schema.tables.back().columns[0].type == ValueType::integer);
  Record record;
  record.reset(schema);
  rows.add({1, "a"}, record);
  rows.add({2, "b"}, record);
  CHECK(record.tables[0].empty());
  CHECK(record.tables[1] == std::vector<Value>{std::int64_t{1}, std::string("a"), std::int64_t{2}, std::string("b")});
}
