#include <catch2/catch.hpp>
#include <memory>

#include "fake_study.h"
#include "results/column_reader.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/ranking.h"
#include "results/results_file.h"
#include "results/results_reader.h"
#include "results/study_columns.h"
#include "scratch_folder.h"

namespace pimsweep::results {

namespace {

/// Policy a takes 1 s on every machine; policy b takes 0 to 100 s, evenly, and 7 s on the machine of the hardware file.
std::string write_machines(const ScratchFolder& scratch) {
  std::vector<ColumnInfo> inputs{{"policy", "1", "", "", ColumnRole::axis, ValueType::text},
                                 {"hardware.clock", "Hz", "", "", ColumnRole::axis, ValueType::real},
                                 {"draw", "1", "", "", ColumnRole::axis, ValueType::integer}};
  inputs[1].origin.kind = systems::ValueOrigin::Kind::sampled_range;
  auto study = std::make_unique<test::FakeStudy>("one", test::fake_schema(), std::move(inputs));
  for (const std::string policy : {"a", "b"}) {
    for (int draw = 0; draw <= 101; ++draw) {
      study->add({policy, 1e9 + draw, std::int64_t{draw}}, test::fake_record(policy == "a" ? 1
                                                                             : draw == 0   ? 7
                                                                                           : draw - 1,
                                                                             "x", 2));
    }
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  return scratch.file("x.h5");
}

}  // namespace

TEST_CASE("Results have the quantiles of each metric over the sampled machines", "[bands]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch);
  const Hdf5Handle file = open_results(results);
  const Hdf5Handle bands = hdf5::open_group(file.get(), results, "one/bands");
  const auto column = [&](const std::string& name) { return ColumnReader(bands.get(), results, name); };
  REQUIRE(column("point").rows() == 2);
  CHECK(column("point").integer(1) == 102);
  CHECK(column("machines").integer(0) == 101);
  CHECK(column("latency_low").real(0) == 1);
  CHECK(column("latency_low").real(1) == 5);
  CHECK(column("latency_median").real(1) == 50);
  CHECK(column("latency_high").real(1) == 95);
  CHECK(column("energy_high").real(1) == 190);
  // A text has no quantile.
  CHECK_THROWS_AS(column("winner_low"), InputError);
  // They are not a table of the system.
  CHECK(stored_schema(results, "one").tables.size() == 1);
}

TEST_CASE("Points on sampled machines compete only on request", "[bands]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch);
  RankingOptions question{.objectives = {{"latency", true}}, .group_by = {}, .studies = {"one"}};
  // Policy b takes 7 s on the machine of the file, and up to 100 s on others.
  REQUIRE(find_best(results, question, 1).size() == 1);
  CHECK(find_best(results, question, 1)[0].rows == std::vector<std::uint64_t>{102});
  CHECK(find_best(results, question, 1)[0].points == 2);
  question.drawn_machines = true;
  CHECK(find_best(results, question, 1)[0].rows == std::vector<std::uint64_t>{203});
  CHECK(StudyColumns(results, "one").varying_axes() == std::vector<std::string>{"policy", "draw"});
}

}  // namespace pimsweep::results
