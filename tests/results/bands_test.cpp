#include "results/bands.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <memory>

#include "fake_study.h"
#include "results/machine_reader.h"
#include "results/ranking.h"
#include "results/report.h"
#include "results/results_file.h"
#include "results/results_reader.h"
#include "results/study_columns.h"
#include "results/study_sensitivity.h"
#include "scratch_folder.h"

namespace pimsweep::results {

using namespace systems;
namespace {

/// A machine: the value of each constant, and the latency with policy b; policy a takes 1 s on every machine.
struct Machine {
  double clock;
  double share;
  std::string mode;
  double latency;
};

std::string write_machines(const ScratchFolder& scratch, const std::vector<Machine>& machines) {
  auto study = std::make_unique<test::FakeStudy>(
      "one", test::fake_schema(),
      std::vector<InputColumn>{{"policy", "1", "", "experiment", ColumnRole::axis, ValueType::text},
                               {"hardware.clock", "Hz", "", "drawn from a range", ColumnRole::axis, ValueType::real},
                               {"hardware.share", "1", "", "drawn among values (x)", ColumnRole::axis, ValueType::real},
                               {"hardware.mode", "1", "", "drawn among values (x)", ColumnRole::axis, ValueType::text},
                               {"draw", "1", "", "draw", ColumnRole::axis, ValueType::integer}});
  for (const std::string policy : {"a", "b"}) {
    for (std::size_t draw = 0; draw < machines.size(); ++draw) {
      const Machine& machine = machines[draw];
      study->add({policy, machine.clock, machine.share, machine.mode, static_cast<std::int64_t>(draw)},
                 test::fake_record(policy == "a" ? 1 : machine.latency, machine.mode, 2));
    }
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  return scratch.file("x.h5");
}

void write_paper(const ScratchFolder& scratch, const std::string& kind, const std::string& value,
                 const std::string& check) {
  std::ofstream(scratch.file("paper.csv"))
      << "id,paper,where,kind,value,value_hi,unit\nthe-id,paper,Table 1," << kind << ',' << value << ",,\n";
  std::ofstream(scratch.file("paper.toml")) << "[[check]]\nid = \"the-id\"\nsystem = \"fake\"\nstudy = \"one\"\n"
                                            << check;
}

Band band_of(const std::string& kind, const std::string& value, const std::string& check,
             const std::vector<Machine>& machines) {
  const ScratchFolder scratch;
  write_paper(scratch, kind, value, check);
  const std::vector<Band> bands = make_bands({write_machines(scratch, machines)}, read_published(scratch.file("")));
  REQUIRE(bands.size() == 1);
  return bands[0];
}

const std::string latency = "metric = \"latency\"\nselect = { policy = \"b\" }\n";
const std::string ratio = latency + "over = { policy = \"a\" }\n";

bool every_column(const ColumnReader&) { return true; }
bool no_column(const ColumnReader&) { return false; }

/// All constants move: the latency is 0 to 100, evenly, with 7 on the machine of the file.
std::vector<Machine> joint() {
  std::vector<Machine> machines{{1e9, 0.5, "x", 7}};
  for (int i = 0; i <= 100; ++i)
    machines.push_back({1e9 + i + 1, 0.6 + i, i % 4 == 0 ? "y" : "x", static_cast<double>(i)});
  return machines;
}

/// The latency is 2 at 1 GHz and falls to 1 at 2 GHz; the share moves it to 4 at most; mode y makes it 10.
std::vector<Machine> alone() {
  return {{1e9, 0.5, "x", 2},  {1.5e9, 0.5, "x", 1.5}, {2e9, 0.5, "x", 1},
          {1e9, 0.75, "x", 3}, {1e9, 1, "x", 4},       {1e9, 0.5, "y", 10}};
}

}  // namespace

TEST_CASE("A band has the quantiles of all drawn machines", "[bands]") {
  const Band band = band_of("exact", "30", latency, joint());
  CHECK(band.usual.reproduced == "7");
  CHECK(band.draws == 101);
  REQUIRE(band.spread);
  CHECK(band.spread->least == 0);
  CHECK(band.spread->low == Approx(5));
  CHECK(band.spread->median == Approx(50));
  CHECK(band.spread->high == Approx(95));
  CHECK(band.spread->most == 100);
  // 27 to 33.
  CHECK(band.near == Approx(7.0 / 101));
  CHECK(band.covered);
  CHECK(band.reached);
  CHECK(band.crossings.empty());
}

TEST_CASE("A published value is covered, reached only, or neither", "[bands]") {
  CHECK_FALSE(band_of("exact", "98", latency, joint()).covered);
  CHECK(band_of("exact", "98", latency, joint()).reached);
  CHECK_FALSE(band_of("exact", "101", latency, joint()).reached);
  // 95.4 is printed as 95.
  CHECK(band_of("exact", "95.3", latency, joint()).reached);
  CHECK_FALSE(band_of("exact", "95.3", latency, joint()).covered);
  CHECK(band_of("exact", "95", latency, joint()).covered);
  // A bound and a claim hold on some machines.
  CHECK(band_of("min", "90", latency, joint()).covered);
  CHECK_FALSE(band_of("min", "150", latency, joint()).reached);
  const Band claim = band_of(
      "ordering", "",
      "metric = \"latency\"\nselect = { policy = \"b\" }\nover = { policy = \"a\" }\nclaim = \"below\"\n", joint());
  CHECK(claim.near == Approx(1.0 / 101));
  CHECK(claim.reached);
  CHECK_FALSE(claim.covered);
}

TEST_CASE("Pairs are of one machine", "[bands]") {
  const Band band = band_of("exact", "0.5", ratio, alone());
  REQUIRE(band.spread);
  CHECK(band.draws == 5);
  CHECK(band.spread->least == Approx(0.1));
  CHECK(band.spread->most == Approx(1));
}

TEST_CASE("Values of a table are those of one machine's rows", "[bands]") {
  // Policy b has stages of 1 and 1/2 on each machine; the latency belongs to their point.
  const std::string table = "table = \"stages\"\nselect = { policy = \"b\" }\n";
  const Band sum = band_of("exact", "1.5", table + "metric = \"share\"\nreduce = \"sum\"\n", joint());
  CHECK(sum.draws == 101);
  CHECK(sum.near == 1);
  REQUIRE(sum.spread);
  CHECK(sum.spread->least == 1.5);
  CHECK(sum.spread->most == 1.5);
  const Band largest = band_of("exact", "30", table + "metric = \"latency\"\nreduce = \"max\"\n", joint());
  REQUIRE(largest.spread);
  CHECK(largest.spread->median == Approx(50));
  CHECK(largest.spread->high == Approx(95));
}

TEST_CASE("A constant that reaches the published value alone is named with its value", "[bands]") {
  const auto crossings = [](const std::string& value) {
    std::vector<std::string> texts;
    for (const Crossing& crossing : band_of("exact", value, latency, alone()).crossings)
      texts.push_back(crossing.axis + " = " + crossing.value);
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(crossings("1.25") == Texts{"hardware.clock = 1.75 GHz"});
  // Nothing lies between values of a list.
  CHECK(crossings("3.5").empty());
  CHECK(crossings("3.1") == Texts{"hardware.share = 0.75"});
  CHECK(crossings("10") == Texts{"hardware.mode = y"});
  CHECK(crossings("20").empty());
}

TEST_CASE("The report on drawn machines is that of the machine of the file", "[bands]") {
  const ScratchFolder scratch;
  write_paper(scratch, "exact", "2", latency);
  const auto findings = make_report({write_machines(scratch, alone())}, read_published(scratch.file("")));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].reproduced == "2");
  CHECK(findings[0].verdict == Verdict::exact);
}

TEST_CASE("Bands of a paper are counted without definitions", "[bands]") {
  const ScratchFolder scratch;
  write_paper(scratch, "exact", "30", latency);
  const std::string results = write_machines(scratch, joint());
  const auto tallies = tally_bands(make_bands({results}, read_published(scratch.file(""))));
  REQUIRE(tallies.size() == 1);
  CHECK(tallies[0].covered == 1);
  CHECK(tallies[0].width == Approx(90.0 / 30));
  write_paper(scratch, "exact", "30", latency + "role = \"definition\"\nnote = \"x\"\n");
  CHECK(tally_bands(make_bands({results}, read_published(scratch.file("")))).empty());
  const std::string csv = bands_csv(make_bands({results}, read_published(scratch.file(""))));
  CHECK(csv.find("the-id,paper,Table 1,,30,,,definition,7,off,101,0,5,50,95,100,0.069,yes,yes,") != std::string::npos);
}

TEST_CASE("Results have the quantiles of each metric over the drawn machines", "[bands]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch, joint());
  DataFrame table;
  MachineReader(results, "one")
      .read_table("bands", {0, 1}, every_column, no_column, [&](std::size_t, const DataFrame& rows) { table = rows; });
  REQUIRE(table.rows == 2);
  const auto numbers = [&](const std::string& name) { return table.columns.at(name).numbers; };
  CHECK(numbers("point") == std::vector<double>{0, 102});
  CHECK(numbers("machines") == std::vector<double>{101, 101});
  // Policy a takes as long on every machine; b from 0 to 100, evenly.
  CHECK(numbers("latency_low") == std::vector<double>{1, 5});
  CHECK(numbers("latency_median") == std::vector<double>{1, 50});
  CHECK(numbers("latency_high") == std::vector<double>{1, 95});
  CHECK(numbers("energy_high") == std::vector<double>{2, 190});
  CHECK_FALSE(table.columns.contains("winner_low"));
  // They are no table of the system.
  CHECK(stored_schema(results, "one").tables.size() == 1);
}

TEST_CASE("Values on each machine are told with the study that they are from", "[bands]") {
  const ScratchFolder scratch;
  write_paper(scratch, "exact", "3", latency);
  const auto bands = make_bands({write_machines(scratch, alone())}, read_published(scratch.file("")));
  REQUIRE(bands.size() == 1);
  REQUIRE(bands[0].on_machines.size() == 5);
  CHECK(bands[0].on_machines[2].draw == 3);
  CHECK(bands[0].on_machines[2].number == 3);
  CHECK(bands[0].on_machines[2].near);
  CHECK_FALSE(bands[0].on_machines[0].near);
  CHECK(machines_csv(bands).find(",one,3,3,1\n") != std::string::npos);
}

TEST_CASE("Points on drawn machines do not compete unless they are asked for", "[bands]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch, joint());
  RankingQuestion question{.objectives = {{"latency", true}}, .group_by = {}, .study = "one"};
  // Policy b takes 7 s on the machine of the file, and up to 100 s on others.
  REQUIRE(find_best(results, question, 1).size() == 1);
  CHECK(find_best(results, question, 1)[0].rows == std::vector<std::uint64_t>{102});
  CHECK(find_best(results, question, 1)[0].points == 2);
  question.drawn_machines = true;
  CHECK(find_best(results, question, 1)[0].rows == std::vector<std::uint64_t>{203});
  const StudySensitivity found = find_sensitivity(results, "one", "latency");
  REQUIRE(found.axes.size() == 1);
  CHECK(found.axes[0].axis == "policy");
  CHECK(found.points == 2);
  CHECK(StudyColumns(results, "one").varying_axes() == std::vector<std::string>{"policy", "draw"});
}

TEST_CASE("A study without drawn machines has no bands", "[bands]") {
  const ScratchFolder scratch;
  write_paper(scratch, "exact", "2", latency);
  CHECK(make_bands({write_machines(scratch, {{1e9, 0.5, "x", 2}})}, read_published(scratch.file(""))).empty());
}

}  // namespace pimsweep::results
