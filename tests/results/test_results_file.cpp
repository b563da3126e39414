#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "fake_study.h"
#include "results/frame.h"
#include "results/results_file.h"
#include "results/results_reader.h"
#include "scratch.h"

namespace pimsweep {
namespace {

using test::fake_record;
using test::FakeStudy;
using test::Scratch;

std::vector<std::unique_ptr<StudyView>> studies(int points, double first_latency = 1) {
  auto study = std::make_unique<FakeStudy>("one", test::fake_schema(), test::fake_inputs());
  for (int i = 0; i < points; ++i) {
    Record record = fake_record(i == 0 ? first_latency : i + 1, i % 2 == 0 ? "äpfel" : "", i % 3);
    if (i == 1) {
      record = fake_record(0, "", 0);
      record.reset(test::fake_schema());
      record.status = Status::infeasible;
      record.message = "does not fit";
    }
    study->add(
        {0.5 * i, std::string(i % 2 == 0 ? "a" : "b"), i % 2 == 0, std::int64_t{i}, std::string("layer"), 1.0 * i},
        std::move(record));
  }
  std::vector<std::unique_ptr<StudyView>> all;
  all.push_back(std::move(study));
  return all;
}

ResultsInfo info() { return {"test", "name = \"test\"\n", {{"machine", "key = 1\n"}}}; }

}  // namespace

TEST_CASE("a results file gives back inputs, metrics, states and details", "[results]") {
  const Scratch scratch;
  const std::string path = scratch / "x.h5";
  write_results(path, info(), studies(5), {{"ranks", "1"}});
  CHECK(study_ids(path) == std::vector<std::string>{"one"});
  CHECK(study_system(path, "one") == "fake");
  const Frame frame = read_study(path, "one");
  REQUIRE(frame.rows == 5);
  CHECK(frame.columns.at("x").numbers == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(frame.columns.at("x").unit == "Hz");
  CHECK(frame.columns.at("x").role == "axis");
  CHECK(frame.columns.at("policy").texts[3] == "b");
  CHECK(frame.columns.at("fast").numbers[2] == 1);
  CHECK(frame.columns.at("winner").texts[2] == "äpfel");
  CHECK(frame.columns.at("latency").numbers[4] == 5);
  CHECK(std::isnan(frame.columns.at("latency").numbers[1]));
  CHECK(frame.columns.at("status").numbers[1] == 1);
  CHECK(frame.columns.at("message").texts[1] == "does not fit");
  const Frame detail = read_detail(path, "one", "stages");
  REQUIRE(detail.rows == 0 + 0 + 2 + 0 + 1);
  CHECK(detail.columns.at("point").numbers == std::vector<double>{2, 2, 4});
  CHECK(detail.columns.at("stage").numbers == std::vector<double>{1, 2, 1});
  CHECK(detail.columns.at("latency").numbers[2] == 5);
}

TEST_CASE("entries come back from a results file as they went in", "[results]") {
  const Scratch scratch;
  const std::string path = scratch / "x.h5";
  auto written = studies(5000);
  write_results(path, info(), written, {});
  const Schema schema = test::fake_schema();
  std::size_t index = 0;
  StudyView::Row row;
  for_each_result(
      path, [&](std::string_view name) { return name == "fake" ? &schema : nullptr; },
      [&](const JournalEntry& entry) {
        written[0]->row(index++, row);
        REQUIRE(entry.identity == row.identity);
        REQUIRE(entry.record.status == row.record.status);
        REQUIRE(entry.record.tables == row.record.tables);
        if (entry.record.status == Status::ok) REQUIRE(entry.record.metrics == row.record.metrics);
      });
  CHECK(index == 5000);
  std::size_t of_unknown_system = 0;
  for_each_result(
      path, [](std::string_view) { return nullptr; }, [&](const JournalEntry&) { ++of_unknown_system; });
  CHECK(of_unknown_system == 0);
}

TEST_CASE("the digest depends on the data and on nothing else", "[results]") {
  const Scratch scratch;
  const std::string digest = write_results(scratch / "a.h5", info(), studies(20), {{"ranks", "1"}});
  CHECK(write_results(scratch / "b.h5", info(), studies(20), {{"ranks", "64"}, {"host", "other"}}) == digest);
  CHECK(write_results(scratch / "c.h5", info(), studies(20, 1 + 1e-15), {{"ranks", "1"}}) != digest);
  CHECK(write_results(scratch / "d.h5", info(), studies(21), {{"ranks", "1"}}) != digest);
}

TEST_CASE("a failed write leaves neither a half file nor a temporary one", "[results]") {
  const Scratch scratch;
  CHECK_THROWS(write_results(scratch / "no/such/folder/x.h5", info(), studies(2), {}));
  write_results(scratch / "x.h5", info(), studies(2), {});
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) files += entry.is_regular_file();
  CHECK(files == 1);
  CHECK_THROWS_AS(read_study(scratch / "none.h5", "one"), InputError);
  CHECK_THROWS_AS(read_study(scratch / "x.h5", "two"), InputError);
}

TEST_CASE("other programs open a results file", "[results]") {
  const Scratch scratch;
  write_results(scratch / "x.h5", info(), studies(6), {{"ranks", "1"}});
  const std::string script = std::string(PIMSWEEP_TEST_DIR) + "/check_open.py";
  CHECK(std::system(("/usr/bin/python3 " + script + " " + scratch / "x.h5").c_str()) == 0);
}

}  // namespace pimsweep
