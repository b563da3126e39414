#include "results/timeline.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/trace.h"

namespace pimsweep::results {
namespace {

using systems::TimelineRole;

systems::Metric column(const std::string& name, ValueType type, TimelineRole role, const std::string& unit = "1") {
  systems::Metric result{name, unit, "a column of a timeline", type};
  result.timeline = role;
  return result;
}

/// task, after, unit, what, start, end, bytes, threads, note
systems::Table table() {
  return {
      "timeline",
      "a row for each interval",
      {column("task", ValueType::integer, TimelineRole::task), column("after", ValueType::text, TimelineRole::after),
       column("unit", ValueType::text, TimelineRole::lane), column("what", ValueType::text, TimelineRole::name),
       column("start", ValueType::real, TimelineRole::start, "s"),
       column("end", ValueType::real, TimelineRole::end, "s"),
       column("bytes", ValueType::real, TimelineRole::moved, "B"),
       column("threads", ValueType::integer, TimelineRole::held), column("note", ValueType::text, TimelineRole::none)}};
}

void add(std::vector<Value>& cells, std::int64_t task, const std::string& after, const std::string& unit, double start,
         double end, double bytes = 0, std::int64_t threads = 0) {
  for (Value cell : {Value{task}, Value{after}, Value{unit}, Value{std::string("work")}, Value{start}, Value{end},
                     Value{bytes}, Value{threads}, Value{std::string("\"quoted\"\n")}}) {
    cells.push_back(std::move(cell));
  }
}

std::vector<std::string> lane_names(const Timeline& timeline) {
  std::vector<std::string> names;
  for (const Timeline::Lane& lane : timeline.groups().at(0).lanes) names.push_back(lane.name);
  return names;
}

}  // namespace

TEST_CASE("lanes are in natural order, and those that overlap are spread over several") {
  const systems::Table description = table();
  std::vector<Value> cells;
  add(cells, 0, "", "core 10", 0, 1);
  add(cells, 1, "", "core 9", 0, 1);
  add(cells, 2, "", "core 9", 0.5, 2);
  add(cells, 3, "", "core 9", 1, 3);
  add(cells, 4, "", "core 9", 1, 1);
  const Timeline timeline(description, cells);
  REQUIRE(timeline.groups().size() == 1);
  CHECK(timeline.groups()[0].name == "timeline");
  CHECK(lane_names(timeline) == std::vector<std::string>{"core 9", "core 9 (2)", "core 10"});
  CHECK(timeline.groups()[0].lanes[0].intervals.size() == 3);
}

TEST_CASE("counters add up what runs at a time, and end with zero") {
  const systems::Table description = table();
  std::vector<Value> cells;
  add(cells, 0, "", "a", 0, 2, 10, 1);
  add(cells, 1, "", "b", 1, 3, 6, 2);
  add(cells, 2, "", "a", 3, 4, 0, 2);
  add(cells, 3, "", "a", 4, 4, 5, 9);
  const Timeline timeline(description, cells);
  const auto steps_of = [&](std::size_t index, bool rate) {
    std::vector<std::pair<double, double>> steps;
    for (const CounterStep& step : counter(timeline, timeline.groups()[0], index, rate)) {
      steps.emplace_back(step.time, step.value);
    }
    return steps;
  };
  CHECK(steps_of(6, true) == std::vector<std::pair<double, double>>{{0, 5}, {1, 8}, {2, 3}, {3, 0}});
  // From time 2 to 4, first one interval and then another holds two threads.
  CHECK(steps_of(7, false) == std::vector<std::pair<double, double>>{{0, 1}, {1, 3}, {2, 2}, {4, 0}});
}

TEST_CASE("dependencies lead from the last part of a task to the first part of another") {
  const systems::Table description = table();
  std::vector<Value> cells;
  add(cells, 7, "", "a", 0, 1);
  add(cells, 7, "", "b", 1, 3);
  add(cells, 8, "7 99", "a", 5, 6);
  add(cells, 8, "7 99", "b", 3, 4);
  const Timeline timeline(description, cells);
  const std::vector<Dependency> found = dependencies(timeline);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == 1);
  CHECK(found[0].to == 3);
}

TEST_CASE("a trace is JSON, whatever texts its timeline has") {
  systems::Schema schema;
  schema.tables = {table()};
  systems::Record record;
  record.reset(schema);
  add(record.tables[0], 0, "", "<unit> \"\\", 0, 0.1, 1, 1);
  add(record.tables[0], 1, "0", "<unit> \"\\", 0.1, 0.3);
  std::ostringstream stream;
  write_trace(schema, record, {{"file", "odd \"name\"\x01.toml"}}, stream);
  const auto json = nlohmann::json::parse(stream.str());
  std::size_t complete = 0;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++complete;
    CHECK(event["args"]["note"] == "\"quoted\"\n");
    const double end = event["args"]["end [s]"];
    CHECK(event["ts"].get<double>() + event["dur"].get<double>() <= 1e6 * end);
  }
  CHECK(complete == 2);
  CHECK(json["otherData"]["file"] == "odd \"name\"\x01.toml");
}

TEST_CASE("a table with a defect is not a timeline") {
  CHECK(systems::timeline_defects(table()).empty());
  CHECK(systems::timeline_columns(table()).has_value());
  const auto with = [](std::size_t column, TimelineRole role) {
    systems::Table changed = table();
    changed.columns[column].timeline = role;
    return changed;
  };
  for (const systems::Table& changed :
       {with(5, TimelineRole::none), with(2, TimelineRole::none), with(3, TimelineRole::none),
        with(0, TimelineRole::none), with(8, TimelineRole::start), with(8, TimelineRole::held),
        with(6, TimelineRole::task)}) {
    CHECK_FALSE(systems::timeline_defects(changed).empty());
    CHECK_FALSE(systems::timeline_columns(changed).has_value());
  }
  systems::Table plain = table();
  for (systems::Metric& each : plain.columns) each.timeline = TimelineRole::none;
  CHECK(systems::timeline_defects(plain).empty());
  CHECK_FALSE(systems::timeline_columns(plain).has_value());
}

TEST_CASE("tasks without an interval pass on what they wait for") {
  const auto shown = [](std::size_t task) { return task != 1 && task != 2; };
  const std::vector<std::string> awaited = systems::awaited_tasks({{2, 4}, {0, 1}, {1, 2}, {3, 4}, {0, 4}}, 5, shown);
  CHECK(awaited == std::vector<std::string>{"", "", "", "", "0 3"});
  CHECK_THROWS_AS(systems::awaited_tasks({{1, 0}}, 2, shown), std::logic_error);
}

}  // namespace pimsweep::results
