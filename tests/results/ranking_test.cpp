#include "results/ranking.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "base/error.h"
#include "fake_study.h"
#include "results/pareto.h"
#include "results/results_file.h"
#include "scratch_folder.h"

using namespace pimsweep::results;
using namespace pimsweep::systems;
using namespace pimsweep;
using Rows = std::vector<std::uint64_t>;

namespace {

struct Made {
  double latency;
  double energy;
  std::string policy;
  Status status = Status::ok;
};

std::string write(const ScratchFolder& scratch, const std::vector<Made>& points, const std::string& system = "fake") {
  systems::Schema schema = test::fake_schema();
  schema.name = system;
  auto study = std::make_unique<test::FakeStudy>("s", std::move(schema), test::fake_inputs());
  std::int64_t n = 0;
  for (const Made& point : points) {
    Record record = test::fake_record(point.latency, "a", 0);
    record.metrics[1] = point.energy;
    record.status = point.status;
    study->add({1e9, point.policy, true, n++, std::string("l"), 1.0}, std::move(record));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  std::string path = scratch.file("results.h5");
  write_results(path, {"x", "", {}}, studies, {});
  return path;
}

/// By trying every pair.
std::vector<std::size_t> front_by_pairs(const std::vector<std::span<const double>>& columns) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < columns[0].size() && !dominated; ++j) {
      bool no_larger = true;
      bool smaller = false;
      for (const std::span<const double> column : columns) {
        no_larger = no_larger && column[j] <= column[i];
        smaller = smaller || column[j] < column[i];
      }
      dominated = no_larger && smaller;
    }
    if (!dominated) front.push_back(i);
  }
  return front;
}

}  // namespace

TEST_CASE("The front of one to five columns is the one that comparing all pairs gives, ties included") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t dimensions = 1 + random() % 5;
    const std::size_t values = 2 + random() % 12;
    std::vector<std::vector<double>> columns(dimensions, std::vector<double>(random() % 70));
    for (std::vector<double>& column : columns) {
      column.resize(columns[0].size());
      for (double& cell : column) cell = static_cast<double>(random() % values);
    }
    const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
    CHECK(pareto_front(spans) == front_by_pairs(spans));
  }
}

TEST_CASE("A running front is the front of all rows, whatever the blocks") {
  std::mt19937_64 random(4);
  std::vector<std::vector<double>> columns(3);
  RunningFront running(3);
  for (std::uint64_t row = 0; row < 150000; ++row) {
    double numbers[3];
    for (std::size_t i = 0; i < 3; ++i) columns[i].push_back(numbers[i] = static_cast<double>(random() % 4000));
    running.add(row, numbers);
  }
  const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  const std::vector<std::size_t> front = pareto_front(spans);
  CHECK(running.rows() == Rows(front.begin(), front.end()));
}

TEST_CASE("Fronts of a file: by group, largest or smallest, without points that have no result or no number") {
  const ScratchFolder scratch;
  const double none = std::nan("");
  const std::string path = write(scratch, {{3, 1, "a"},
                                           {1, 3, "a"},
                                           {3, 3, "a"},
                                           {1, 3, "a"},
                                           {0, 0, "a", Status::infeasible},
                                           {none, 0, "b"},
                                           {9, 9, "b"},
                                           {0, 0, "b", Status::failed}});
  const std::vector<RankedGroup> fronts = find_fronts(path, {{{"latency", false}, {"energy", false}}, {"policy"}, {}});
  REQUIRE(fronts.size() == 2);
  CHECK(fronts[0].group == std::vector<std::string>{"a"});
  CHECK(fronts[0].rows == Rows{0, 1, 3});
  CHECK(fronts[0].points == 4);
  CHECK(fronts[0].without_result == 1);
  CHECK(fronts[1].rows == Rows{6});
  CHECK(fronts[1].without_result == 1);
  CHECK(fronts[1].without_number == 1);
  CHECK(find_fronts(path, {{{"latency", false}, {"energy", true}}, {}, {"s"}})[0].rows == Rows{1, 3, 6});
  CHECK(find_best(path, {{{"latency", false}}, {}, {}}, 3)[0].rows == Rows{1, 3, 0});
  CHECK(find_best(path, {{{"latency", true}}, {"policy"}, {}}, 2)[0].rows == Rows{0, 2});
}

TEST_CASE("The best points of a group are those of a stable sort") {
  const ScratchFolder scratch;
  std::mt19937_64 random(5);
  std::vector<Made> points;
  constexpr int count = 300;
  points.reserve(count);
  for (int i = 0; i < count; ++i)
    points.push_back({static_cast<double>(random() % 40), 0, random() % 2 == 0 ? "a" : "b"});
  const std::string path = write(scratch, points);
  for (const RankedGroup& group : find_best(path, {{{"latency", false}}, {"policy"}, {}}, 25)) {
    Rows rows;
    for (std::uint64_t row = 0; row < points.size(); ++row) {
      if (points[row].policy == group.group[0]) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return points[a].latency < points[b].latency; });
    rows.resize(25);
    CHECK(group.rows == rows);
  }
}

TEST_CASE("Only the points that a filter keeps compete; studies that lack what it needs are left out") {
  const ScratchFolder scratch;
  const std::string path = write(scratch, {{1, 9, "a"}, {2, 8, "b"}, {3, 7, "a"}, {4, 6, "b"}});
  RankingOptions question{{{"latency", false}}, {}, {}};
  question.filter = [](const std::string&) { return [](std::uint64_t row) { return row >= 2; }; };
  CHECK(find_best(path, question, 1).front().rows == Rows{2});
  CHECK(find_fronts(path, {{{"latency", false}, {"energy", false}}, {}, {}, question.filter}).front().points == 2);
  std::vector<std::string> left_out;
  CHECK(rank_studies(path, question, left_out).front().studies.front().row == 2);
  CHECK(left_out.empty());
  question.filter = [](const std::string& study) -> RowPredicate { throw InputError(study + " lacks it"); };
  CHECK_THROWS_WITH(rank_studies(path, question, left_out), "s lacks it");
  CHECK(left_out == std::vector<std::string>{"s lacks it"});
}

TEST_CASE("Names that a study lacks are reported with the nearest ones, all at once") {
  const ScratchFolder scratch;
  const std::string path = write(scratch, {{1, 1, "a"}});
  CHECK_THROWS_WITH(find_fronts(path, {{{"latncy", false}, {"winner", false}}, {"polcy"}, {}}),
                    Catch::Contains("did you mean 'latency'") && Catch::Contains("no metric 'winner'") &&
                        Catch::Contains("did you mean 'policy'"));
  CHECK_THROWS_WITH(find_fronts(path, {{{"latency", false}}, {}, {"t"}}), Catch::Contains("no study 't'"));
}
