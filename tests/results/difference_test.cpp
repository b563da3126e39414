#include "results/difference.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "fake_study.h"
#include "results/results_file.h"
#include "scratch_folder.h"

using namespace pimsweep;
using namespace pimsweep::results;
using test::fake_record;
using test::FakeStudy;

namespace {

const ColumnDifference* find(const std::vector<ColumnDifference>& columns, const std::string& name) {
  const auto found =
      std::ranges::find_if(columns, [&](const ColumnDifference& c) { return c.table + "/" + c.column == name; });
  return found == columns.end() ? nullptr : &*found;
}

constexpr std::size_t points = 20;

/// A point of the study that the tests change: its inputs and its record.
struct MadePoint {
  std::vector<Value> inputs;
  systems::Record record;
};

std::vector<MadePoint> study_points(double clock = 1e9, std::int64_t batch = 1) {
  std::vector<MadePoint> made;
  for (std::size_t i = 0; i < points; ++i) {
    made.push_back(
        {{Value(static_cast<double>(i)), Value(std::string(i % 2 == 0 ? "even" : "odd")), Value(batch), Value(clock)},
         fake_record(1 + static_cast<double>(i), "winner", static_cast<int>(i % 3))});
  }
  return made;
}

/// Writes one study "s" with the axes x, policy, batch and a constant of the hardware file.
std::string write(const ScratchFolder& scratch, const std::string& name, std::vector<MadePoint> made,
                  const std::string& experiment = "") {
  systems::Schema schema = test::fake_schema();
  const std::vector<ColumnInfo> inputs = {
      {"x", "Hz", "", "experiment", ColumnRole::axis, ValueType::real},
      {"policy", "1", "", "experiment", ColumnRole::axis, ValueType::text},
      {"batch", "1", "", "experiment", ColumnRole::axis, ValueType::integer},
      {"hardware.clock", "Hz", "", "hardware card", ColumnRole::axis, ValueType::real}};
  auto study = std::make_unique<FakeStudy>("s", schema, inputs);
  for (MadePoint& point : made) study->add(std::move(point.inputs), std::move(point.record));
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file(name), {"x", experiment, {}}, studies, {});
  return scratch.file(name);
}

StudyDifference compare_studies(std::vector<MadePoint> a, std::vector<MadePoint> b, double tolerance = 0) {
  const ScratchFolder scratch;
  DifferenceOptions options;
  options.tolerance = tolerance;
  const FileDifference found =
      find_differences(write(scratch, "a.h5", std::move(a)), write(scratch, "b.h5", std::move(b)), options);
  REQUIRE(found.studies.size() == 1);
  CHECK(found.is_equal() == found.studies[0].is_equal());
  return found.studies[0];
}

}  // namespace

TEST_CASE("files with the same results are equal, whatever they were made from") {
  const ScratchFolder scratch;
  const FileDifference found = find_differences(write(scratch, "a.h5", study_points(), "one"),
                                                write(scratch, "b.h5", study_points(), "two"), {});
  CHECK(found.is_equal());
  REQUIRE(found.origins.size() == 1);
  CHECK(found.origins[0].name == "experiment_text");
  CHECK(found.origins[0].b == "two");
}

TEST_CASE("points are matched by their axes in any order") {
  std::vector<MadePoint> b = study_points();
  std::mt19937_64 random(5);
  std::shuffle(b.begin(), b.end(), random);
  const StudyDifference equal = compare_studies(study_points(), b);
  CHECK(equal.in_both == points);
  CHECK(equal.is_equal());
  // FakeStudy's identities are those of the places.
  CHECK(equal.other_identities > 0);

  const auto seven = std::ranges::find_if(b, [](const MadePoint& point) { return point.inputs[0] == Value(7.0); });
  seven->record.metrics[0] = 8 * 1.25;
  const StudyDifference changed = compare_studies(study_points(), b);
  REQUIRE(changed.outputs.size() == 1);
  const ColumnDifference& latency = changed.outputs[0];
  CHECK(latency.column == "latency");
  CHECK(latency.compared == points);
  CHECK(latency.differing == 1);
  CHECK(latency.median.value() == Approx(0.25));
  REQUIRE(latency.largest.size() == 1);
  CHECK(latency.largest[0].point_a == 7);
  CHECK(latency.largest[0].point_b == static_cast<std::uint64_t>(seven - b.begin()));
  CHECK(latency.largest[0].a == Value(8.0));
  CHECK(latency.largest[0].b == Value(10.0));
}

TEST_CASE("points of only one file are reported") {
  std::vector<MadePoint> b = study_points();
  b.erase(b.begin() + 3);
  b.push_back(b.back());
  b.back().inputs[0] = 99.0;
  const StudyDifference found = compare_studies(study_points(), b);
  CHECK(found.in_both == points - 1);
  CHECK(found.only_a.count == 1);
  CHECK(found.only_a.first == std::vector<std::uint64_t>{3});
  CHECK(found.only_b.first == std::vector<std::uint64_t>{points - 1});
  CHECK(found.outputs.empty());
  CHECK_FALSE(found.is_equal());
}

TEST_CASE("of equal points the first belongs to the first") {
  std::vector<MadePoint> twice = study_points();
  twice.push_back(twice[4]);
  const StudyDifference found = compare_studies(twice, study_points());
  CHECK(found.in_both == points);
  CHECK(found.only_a.first == std::vector<std::uint64_t>{points});
}

TEST_CASE("other hardware and other fixed axes leave points together") {
  const StudyDifference found = compare_studies(study_points(1e9, 1), study_points(2e9, 4));
  CHECK(found.in_both == points);
  CHECK(found.outputs.empty());
  REQUIRE(find(found.inputs, "/batch") != nullptr);
  CHECK(find(found.inputs, "/batch")->largest.front().b == Value(std::int64_t{4}));
  REQUIRE(find(found.inputs, "/hardware.clock") != nullptr);
  CHECK(find(found.inputs, "/hardware.clock")->differing == points);
  CHECK_FALSE(found.is_equal());
}

TEST_CASE("largest changes come first, then those without a number") {
  std::vector<MadePoint> b = study_points();
  for (std::size_t i = 0; i < 10; ++i)
    b[i].record.metrics[0] = (1 + static_cast<double>(i)) * (1 + 0.01 * (1 + static_cast<double>(i)));
  b[15].record.status = systems::Status::failed;
  b[15].record.metrics[0] = std::nan("");
  b[16].record.metrics[2] = std::string("loser");
  const StudyDifference found = compare_studies(study_points(), b);
  const ColumnDifference* latency = find(found.outputs, "/latency");
  REQUIRE(latency != nullptr);
  CHECK(latency->differing == 11);
  CHECK(latency->median.value() == Approx(0.06));
  REQUIRE(latency->largest.size() == 5);
  CHECK(latency->largest[0].point_a == 9);
  CHECK(latency->largest[0].change.value() == Approx(0.1));
  CHECK(latency->largest[4].point_a == 5);
  const ColumnDifference* winner = find(found.outputs, "/winner");
  REQUIRE(winner != nullptr);
  CHECK(winner->largest.front().b == Value(std::string("loser")));
  CHECK_FALSE(winner->median.has_value());
  const ColumnDifference* status = find(found.outputs, "/status");
  REQUIRE(status != nullptr);
  CHECK(status->largest.front().a == Value(std::string("ok")));
  CHECK(status->largest.front().b == Value(std::string("failed")));
}

TEST_CASE("a tolerance is a share of the larger number") {
  std::vector<MadePoint> b = study_points();
  for (MadePoint& point : b) point.record.metrics[1] = std::get<double>(point.record.metrics[1]) * (1 + 1e-9);
  CHECK_FALSE(compare_studies(study_points(), b).is_equal());
  CHECK_FALSE(compare_studies(study_points(), b, 1e-10).is_equal());
  CHECK(compare_studies(study_points(), b, 1e-8).is_equal());
}

TEST_CASE("rows of detail tables are compared point by point") {
  std::vector<MadePoint> b = study_points();
  // Point 1 has one stage, point 2 has two; a column of a stage is two cells on.
  b[1].record.tables[0].clear();
  b[2].record.tables[0][3] = Value(0.25);
  const StudyDifference found = compare_studies(study_points(), b);
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0].name == "rows of table stages at 1 of the points in both");
  const ColumnDifference* share = find(found.outputs, "stages/share");
  REQUIRE(share != nullptr);
  CHECK(share->differing == 1);
  CHECK(share->largest[0].point_a == 2);
  CHECK(share->largest[0].row_a == 2);
  CHECK(share->largest[0].row_b == 1);
  CHECK(share->largest[0].change.value() == Approx(-0.5));
  CHECK(found.outputs.size() == 1);
}

TEST_CASE("studies and columns of only one file are reported") {
  const ScratchFolder scratch;
  const std::string a = write(scratch, "a.h5", study_points());
  systems::Schema schema = test::fake_schema();
  schema.metrics[1].name = "power";
  std::vector<std::unique_ptr<StudyView>> studies;
  for (const char* id : {"s", "t"}) {
    auto study = std::make_unique<FakeStudy>(
        id, schema, std::vector<ColumnInfo>{{"x", "Hz", "", "", ColumnRole::axis, ValueType::real}});
    for (std::size_t i = 0; i < points; ++i) {
      study->add({static_cast<double>(i)}, fake_record(1 + static_cast<double>(i), "winner", static_cast<int>(i % 3)));
    }
    studies.push_back(std::move(study));
  }
  write_results(scratch.file("b.h5"), {"x", "", {}}, studies, {});
  const FileDifference found = find_differences(a, scratch.file("b.h5"), {});
  CHECK(found.studies_only_a.empty());
  CHECK(found.studies_only_b == std::vector<std::string>{"t"});
  REQUIRE(found.studies.size() == 1);
  CHECK(found.studies[0].columns_only_a == std::vector<std::string>{"policy", "batch", "hardware.clock", "energy"});
  CHECK(found.studies[0].columns_only_b == std::vector<std::string>{"power"});
  CHECK(found.studies[0].in_both == points);
  CHECK(found.studies[0].outputs.empty());
  CHECK_FALSE(found.is_equal());

  DifferenceOptions options;
  options.studies = {"t"};
  const FileDifference only_t = find_differences(a, scratch.file("b.h5"), options);
  CHECK(only_t.studies_only_b == std::vector<std::string>{"t"});
  CHECK(only_t.studies.empty());
  options.studies = {"s", "u"};
  CHECK_THROWS_WITH(find_differences(a, scratch.file("b.h5"), options), Catch::Contains("has no study 'u'"));
}
