#include "results/report.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "fake_study.h"
#include "results/answer.h"
#include "results/results_file.h"
#include "results/role_tally.h"
#include "scratch_folder.h"

namespace pimsweep::results {

using namespace systems;
namespace {

/// Study "one": policy a takes 2 n seconds, policy b takes 3 n + 1 seconds, for n = 1, 2, 3.
std::string write_study(const ScratchFolder& scratch) {
  auto study = std::make_unique<test::FakeStudy>("one", test::fake_schema(), test::fake_inputs());
  for (int n = 1; n <= 3; ++n) {
    study->add({1.0, std::string("a"), true, std::int64_t{n}, std::string(), 0.0}, test::fake_record(2 * n, "4x2", 2));
    study->add({1.0, std::string("b"), true, std::int64_t{n}, std::string(), 0.0},
               test::fake_record(3 * n + 1, "8x2", 2));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  return scratch.file("x.h5");
}

/// Study "one": machine old takes 2 n seconds and machine new n seconds, for n = 1, 2, 3. The clock is their files'.
std::string write_machines(const ScratchFolder& scratch) {
  auto study = std::make_unique<test::FakeStudy>(
      "one", test::fake_schema(),
      std::vector<InputColumn>{
          {"n", "1", "an integer axis", "experiment", ColumnRole::axis, ValueType::integer},
          {"hardware.clock", "Hz", "a constant", "hardware old: a; hardware new: b", ColumnRole::axis, ValueType::real},
          {"hardware", "1", "a hardware file", "experiment", ColumnRole::axis, ValueType::text}});
  for (int n = 1; n <= 3; ++n) {
    study->add({std::int64_t{n}, 1e9, std::string("old")}, test::fake_record(2 * n, "", 0));
    study->add({std::int64_t{n}, 2e9, std::string("new")}, test::fake_record(n, "", 0));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  return scratch.file("x.h5");
}

/// The report on one published value and one check.
Finding report_one(const std::string& kind, const std::string& value, const std::string& value_hi,
                   const std::string& unit, const std::string& check,
                   std::string (*results)(const ScratchFolder&) = write_study) {
  const ScratchFolder scratch;
  std::ofstream(scratch.file("paper.csv")) << "id,paper,where,kind,value,value_hi,unit\nthe-id,paper,Table 1," << kind
                                           << ',' << value << ',' << value_hi << ',' << unit << '\n';
  std::ofstream(scratch.file("paper.toml")) << "[[check]]\nid = \"the-id\"\n" << check << "system = \"fake\"\n";
  const auto findings = make_report({results(scratch)}, read_published(scratch.file("")));
  REQUIRE(findings.size() == 1);
  return findings[0];
}

const std::string ratio =
    "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\" }\nover = { policy = \"b\" }\n";

}  // namespace

TEST_CASE("ratios pair points that differ in nothing else", "[report]") {
  // 4/2, 7/4, 10/6.
  const Finding mean = report_one("average", "1.8", "", "x", ratio + "reduce = \"mean\"\n");
  CHECK(mean.reproduced == "1.806");
  CHECK(mean.verdict == Verdict::exact);
  CHECK(report_one("average", "1.7", "", "x", ratio + "reduce = \"mean\"\n").verdict == Verdict::within);
  const Finding off = report_one("average", "9.03", "", "x", ratio + "reduce = \"mean\"\n");
  CHECK(off.verdict == Verdict::off);
  CHECK(*off.deviation == Approx(-0.8).epsilon(1e-3));
  CHECK(report_one("average", "200", "", "%", ratio + "reduce = \"max\"\n").verdict == Verdict::exact);
  CHECK(report_one("exact", "0.000002", "", "million parameters", ratio + "reduce = \"max\"\n").verdict ==
        Verdict::exact);
  CHECK(report_one("range", "1", "2", "x", ratio + "reduce = \"mean\"\n").verdict == Verdict::within);
  CHECK(report_one("range", "3", "4", "x", ratio + "reduce = \"mean\"\n").verdict == Verdict::off);
}

TEST_CASE("points of two machines are paired though the constants of their files differ", "[report]") {
  const std::string check =
      "study = \"one\"\nmetric = \"latency\"\nselect = { hardware = \"new\" }\nover = { hardware = \"old\" }\n"
      "reduce = \"mean\"\n";
  CHECK(report_one("average", "2", "", "x", check, write_machines).verdict == Verdict::exact);
}

TEST_CASE("constants that vary within a machine tell its rows apart, others do not", "[report]") {
  // The source of the clock is no hardware file, as on drawn machines; the old machine has it twice.
  const auto ratio_of = [](double second_clock) {
    DataFrame frame;
    frame.rows = 3;
    frame.columns["hardware"] = {.numbers = {}, .texts = {"new", "old", "old"}, .unit = "1", .role = ColumnRole::axis};
    frame.columns["hardware.clock"] = {
        .numbers = {2, 1, second_clock}, .texts = {}, .unit = "Hz", .role = ColumnRole::axis};
    frame.columns["n"] = {.numbers = {1, 1, 2}, .texts = {}, .unit = "1", .role = ColumnRole::axis};
    frame.columns["time"] = {.numbers = {1, 4, 7}, .texts = {}, .unit = "s", .role = "metric"};
    Query query;
    query.metric = "time";
    query.select = {{"hardware", {"new"}}};
    query.over = {{"hardware", {"old"}}};
    Finding finding;
    answer(frame, query, finding);
    return finding.number;
  };
  CHECK(ratio_of(1) == 4);
  CHECK_FALSE(ratio_of(3));
}

TEST_CASE("places of extremes, and what all or most rows say", "[report]") {
  const std::string points = "study = \"one\"\nmetric = \"latency\"\n";
  const std::string both = "select = { policy = [\"a\", \"b\"] }\n";
  CHECK(report_one("exact", "3", "", "", points + both + "reduce = \"argmax\"\nalong = \"n\"\n").verdict ==
        Verdict::exact);
  CHECK(report_one("exact", "1", "", "", points + both + "reduce = \"argmin\"\nalong = \"n\"\n").verdict ==
        Verdict::exact);
  CHECK(report_one("exact", "2", "", "s", points + "select = { policy = \"a\", n = 1 }\nreduce = \"all\"\n").verdict ==
        Verdict::exact);
  CHECK_THROWS_AS(report_one("exact", "2", "", "s", points + both + "reduce = \"all\"\n"), InputError);
  CHECK_THROWS_AS(report_one("exact", "2", "", "s", points + both + "reduce = \"argmax\"\n"), InputError);
}

TEST_CASE("the published precision of a number with an exponent is that of its digits", "[report]") {
  const std::string point = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\", n = 3 }\n";
  CHECK(report_one("exact", "6.0e9", "", "ns", point).verdict == Verdict::exact);
  CHECK(report_one("exact", "5.96e9", "", "ns", point).verdict == Verdict::within);
  CHECK(report_one("exact", "0.006", "", "KB", point).verdict == Verdict::exact);
  // 0.6 rounds to 1, but is 40 % away.
  CHECK(report_one("exact", "1", "", "ks", point).verdict == Verdict::off);
}

TEST_CASE("published numbers that are not finite are refused", "[report]") {
  for (const char* number : {"inf", "-inf", "nan"}) {
    CHECK_THROWS_AS(report_one("bound", number, "", "x", ratio + "reduce = \"mean\"\n"), InputError);
    CHECK_THROWS_AS(report_one("range", "1", number, "x", ratio + "reduce = \"mean\"\n"), InputError);
  }
}

TEST_CASE("claims about pairs", "[report]") {
  const auto claim = [](const std::string& word) {
    return report_one("ordering", "", "", "", ratio + "claim = \"" + word + "\"\n").verdict;
  };
  CHECK(claim("below") == Verdict::exact);
  CHECK(claim("at_most") == Verdict::exact);
  CHECK(claim("above") == Verdict::off);
  CHECK(claim("at_least") == Verdict::off);
}

TEST_CASE("another system's study of the same name is not meant", "[report]") {
  const ScratchFolder scratch;
  std::ofstream(scratch.file("paper.csv"))
      << "id,paper,where,kind,value,value_hi,unit\nthe-id,paper,Table 1,exact,2,,s\n";
  std::ofstream(scratch.file("paper.toml"))
      << "[[check]]\nid = \"the-id\"\nstudy = \"one\"\nmetric = \"latency\"\nreduce = \"min\"\n";
  CHECK(make_report({write_study(scratch)}, read_published(scratch.file(""))).empty());
}

TEST_CASE("bounds, units, texts and roles", "[report]") {
  const std::string one_point = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\", n = 3 }\n";
  CHECK(report_one("exact", "6000", "", "ms", one_point).verdict == Verdict::exact);
  CHECK(report_one("bound", "7", "", "s", one_point).verdict == Verdict::within);
  CHECK(report_one("bound", "5", "", "s", one_point).verdict == Verdict::off);
  CHECK(report_one("min", "5", "", "s", one_point).verdict == Verdict::within);
  const Finding fitted = report_one("exact", "6", "", "s", one_point + "role = \"calibrated\"\n");
  CHECK(fitted.role == "calibrated");
  CHECK(fitted.verdict == Verdict::exact);
  CHECK(report_one("exact", "6", "", "s", one_point + "inconsistent = \"why\"\n").verdict == Verdict::inconsistent);
  const std::string text = "study = \"one\"\nmetric = \"winner\"\nselect = { policy = \"a\", n = 3 }\n";
  CHECK(report_one("exact", "4x2", "", "", text).verdict == Verdict::exact);
  CHECK(report_one("exact", "2x2", "", "", text).verdict == Verdict::off);
  const std::string table =
      "study = \"one\"\ntable = \"stages\"\nmetric = \"share\"\nselect = { policy = \"a\", n = 3, stage = 2 }\n";
  CHECK(report_one("exact", "50", "", "%", table).verdict == Verdict::exact);
}

TEST_CASE("a word that no table has is refused with those that it has", "[report]") {
  CHECK_THROWS_WITH(report_one("ordering", "", "", "", ratio + "claim = \"at_mots\"\n"),
                    Catch::Contains("paper.toml:7:") && Catch::Contains("at_least, at_most, above, below") &&
                        Catch::Contains("did you mean 'at_most'"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "x", ratio + "reduce = \"average\"\n"), Catch::Contains("mean"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "x", ratio + "role = \"fitted\"\n"),
                    Catch::Contains("validation, artifact, reading, calibrated"));
  CHECK_THROWS_WITH(report_one("exakt", "1", "", "x", ratio), Catch::Contains("paper.csv:2:"));
}

TEST_CASE("a claim names what it compares", "[report]") {
  const std::string points = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\" }\n";
  CHECK_THROWS_WITH(report_one("ordering", "", "", "", points + "claim = \"at_least\"\n"),
                    Catch::Contains("needs 'over'"));
  CHECK_THROWS_WITH(report_one("ordering", "", "", "", points + "claim = \"increasing\"\n"),
                    Catch::Contains("needs 'along'"));
}

TEST_CASE("claims of an order are tallied", "[report]") {
  const std::string selected = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\" }\n";
  CHECK(report_one("ordering", "", "", "", selected + "claim = \"increasing\"\nalong = \"n\"\n").verdict ==
        Verdict::exact);
  CHECK(report_one("ordering", "", "", "", selected + "claim = \"decreasing\"\nalong = \"n\"\n").verdict ==
        Verdict::off);
  CHECK(report_one("ordering", "", "", "", ratio + "claim = \"at_most\"\n").verdict == Verdict::exact);
  CHECK(report_one("ordering", "", "", "", ratio + "claim = \"at_least\"\n").reproduced == "0");
  CHECK(report_one("ordering", "", "", "", ratio + "claim = \"decreasing\"\nalong = \"n\"\n").verdict ==
        Verdict::exact);
}

TEST_CASE("a check that names a metric as it was called before tells the new name", "[report]") {
  Query query;
  query.id = "the-id";
  query.system = "hypar";
  query.study = "one";
  query.metric = "step_time";
  Finding finding;
  CHECK_THROWS_WITH(
      answer({}, query, finding),
      Catch::Contains("the-id: study 'one' has no column 'step_time'; 'step_time' is called 'time' since"));
}

TEST_CASE("mistakes in a check are reported with their place", "[report]") {
  CHECK_THROWS_WITH(report_one("exact", "1", "", "", "study = \"one\"\nmetrik = \"latency\"\n"),
                    Catch::Contains("paper.toml:4:") && Catch::Contains("did you mean 'metric'"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "", "study = 1\nreduce = \"meam\"\nselect = { n = { a = 1 } }\n"),
                    Catch::Contains("paper.toml:3:9: 'study': expected text, got the integer 1") &&
                        Catch::Contains("paper.toml:4:10: there is no reduction 'meam' (did you mean 'mean'?)") &&
                        Catch::Contains("paper.toml:5:16: 'n' needs a value or a list of them, read a table"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "", "study = \"one\"\nmetric = \"latancy\"\n"),
                    Catch::Contains("did you mean 'latency'"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "", "study = \"one\"\nmetric = \"latency\"\n"),
                    Catch::Contains("6 rows match"));
}

TEST_CASE("a published bound is a finite number", "[report]") {
  for (const char* bound : {"inf", "nan", "1e999", "many", ""}) {
    CHECK_THROWS_WITH(report_one("bound", bound, "", "s", ratio),
                      Catch::Contains("paper.csv:2:") && Catch::Contains("a finite number is needed"));
  }
  CHECK_THROWS_WITH(report_one("range", "1", "inf", "s", ratio), Catch::Contains("a finite number is needed"));
}

TEST_CASE("a check along a column of texts is refused", "[report]") {
  const std::string along = "study = \"one\"\nmetric = \"latency\"\nalong = \"policy\"\n";
  CHECK_THROWS_WITH(report_one("exact", "3", "", "", along + "reduce = \"argmax\"\n"),
                    Catch::Contains("column 'policy' of study 'one' holds texts"));
  CHECK_THROWS_WITH(report_one("ordering", "", "", "", along + "claim = \"increasing\"\n"),
                    Catch::Contains("column 'policy' of study 'one' holds texts"));
}

TEST_CASE("a reduction to a range compares both ends", "[report]") {
  // 4/2, 7/4, 10/6.
  const std::string range = ratio + "reduce = \"range\"\n";
  const Finding both = report_one("range", "1.67", "2.0", "x", range);
  CHECK(both.reproduced == "1.667 .. 2");
  CHECK(both.verdict == Verdict::exact);
  CHECK(report_one("range", "1.6", "2.0", "x", range).verdict == Verdict::within);
  CHECK(report_one("range", "1.67", "2.1", "x", range).verdict == Verdict::within);
  // Though every value lies inside, both ends are printed.
  const Finding wide = report_one("range", "1", "2.0", "x", range);
  CHECK(wide.verdict == Verdict::off);
  CHECK(*wide.deviation == Approx(2.0 / 3));
  CHECK(report_one("range", "67", "100", "% speedup", range).verdict == Verdict::exact);
  CHECK_THROWS_AS(report_one("exact", "2", "", "x", range), InputError);
  CHECK_THROWS_AS(report_one("exact", "2x", "4x", "x", range), InputError);
}

TEST_CASE("improvements are also compared as ratios", "[report]") {
  // A ratio of 2 is 100 % speedup.
  const Finding speedup = report_one("max", "80", "", "% speedup", ratio + "reduce = \"max\"\n");
  CHECK(*speedup.deviation == Approx(0.25));
  CHECK(*speedup.ratio_deviation == Approx(2 / 1.8 - 1));
  CHECK(speedup.verdict == Verdict::off);
  const Finding reduction = report_one("max", "-50", "", "% reduction", ratio + "reduce = \"max\"\n");
  CHECK(*reduction.ratio_deviation == Approx(2 / 1.5 - 1));
  CHECK_FALSE(report_one("max", "2", "", "x", ratio + "reduce = \"max\"\n").ratio_deviation);
  // Infinitely slow.
  CHECK_FALSE(report_one("max", "-100", "", "% speedup", ratio + "reduce = \"max\"\n").ratio_deviation);
}

TEST_CASE("an average says what it is over, a bound keeps its sign", "[report]") {
  const Finding mean = report_one("min", "1.5", "", "x", ratio + "reduce = \"mean\"\n");
  CHECK(mean.note == "mean of 3 values, 1.667 to 2");
  CHECK(mean.published.text() == ">= 1.5");
  CHECK(report_one("bound", "7", "", "s", ratio + "reduce = \"max\"\n").published.text() == "<= 7");
  CHECK(report_one("range", "1", "2", "x", ratio + "reduce = \"max\"\n").published.text() == "1 .. 2");
}

TEST_CASE("a reading is named, and each role is counted for itself", "[report]") {
  const std::string maximum = ratio + "reduce = \"max\"\n";
  CHECK_THROWS_WITH(report_one("max", "2", "", "x", maximum + "role = \"reading\"\n"),
                    Catch::Contains("needs 'reading'"));
  CHECK_THROWS_WITH(report_one("max", "2", "", "x", maximum + "reading = \"R\"\n"), Catch::Contains("needs 'role"));
  CHECK_THROWS_WITH(report_one("max", "2", "", "x", maximum + "role = \"reading\"\nreading = \"R\"\n"),
                    Catch::Contains("no [[reading]] 'R'"));
  const std::string reading = "[[reading]]\nname = \"R\"\ndoc = \"one of two\"\nalternatives = 2\n";
  const Finding read = report_one(
      "max", "2", "", "x", maximum + "role = \"reading\"\nreading = \"R\"\nsystem = \"fake\"\n" + reading + "# ");
  CHECK(read.role == "reading");
  CHECK(read.reading == "R");
  const Finding off = report_one("max", "2.4", "", "x", maximum);
  const Finding trivial = report_one("max", "2", "", "x", maximum + "role = \"definition\"\n");
  const std::vector<RoleTally> tallies = tally_by_role({read, off, trivial});
  REQUIRE(tallies.size() == 3);
  CHECK(tallies[0].role == "validation");
  CHECK(tallies[0].compared == 1);
  CHECK(tallies[0].within_10_percent == 0);
  CHECK(tallies[0].within_25_percent == 1);
  CHECK(tallies[1].exact == 1);
  CHECK(tallies[2].role == "definition");
}

TEST_CASE("a reading with a study of its own has a line beside the usual one where it differs", "[report]") {
  const ScratchFolder scratch;
  std::vector<std::unique_ptr<StudyView>> studies;
  for (const auto& [name, time] : {std::pair("usual", 4.0), std::pair("read", 2.0)}) {
    auto study = std::make_unique<test::FakeStudy>(name, test::fake_schema(), test::fake_inputs());
    study->add({1.0, std::string("a"), true, std::int64_t{1}, std::string(), 0.0}, test::fake_record(time, "4x2", 2));
    study->add({1.0, std::string("b"), true, std::int64_t{1}, std::string(), 0.0}, test::fake_record(3, "4x2", 2));
    studies.push_back(std::move(study));
  }
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  std::ofstream(scratch.file("paper.csv"))
      << "id,paper,where,kind,value,value_hi,unit\nmoved,paper,1,exact,2,,s\nequal,paper,1,exact,3,,s\n";
  std::ofstream checks(scratch.file("paper.toml"));
  checks << "[[reading]]\nname = \"R\"\ndoc = \"one of two\"\nalternatives = 2\nstudies = { usual = \"read\" }\n";
  for (const auto& [id, policy] : {std::pair("moved", "a"), std::pair("equal", "b")})
    checks << "[[check]]\nid = \"" << id << "\"\nsystem = \"fake\"\nstudy = \"usual\"\nmetric = \"latency\"\n"
           << "select = { policy = \"" << policy << "\" }\n";
  checks.close();
  const auto findings = make_report({scratch.file("x.h5")}, read_published(scratch.file("")));
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].role == "validation");
  CHECK(findings[0].verdict == Verdict::off);
  CHECK(findings[1].published.id == "moved");
  CHECK(findings[1].reading == "R");
  CHECK(findings[1].verdict == Verdict::exact);
  CHECK(findings[2].published.id == "equal");
}

TEST_CASE("a value of each row, by another column", "[report]") {
  // 2 n by n, for n = 1, 2, 3.
  const std::string by = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\" }\nby = \"n\"\n";
  const Finding range = report_one("range", "2.0", "2.0", "x", by + "reduce = \"range\"\n");
  CHECK(range.reproduced == "2 .. 2");
  CHECK(range.verdict == Verdict::exact);
  CHECK_THROWS_WITH(report_one("exact", "2", "", "x", by + "reduce = \"all\"\nby2 = \"n\"\n"),
                    Catch::Contains("did you mean 'by'"));
  CHECK_THROWS_WITH(
      report_one("exact", "2", "", "x", "study = \"one\"\nmetric = \"latency\"\nreduce = \"max\"\nby = \"m\"\n"),
      Catch::Contains("no column 'm'"));
}

TEST_CASE("a formula over the value", "[report]") {
  const std::string mean = "study = \"one\"\nmetric = \"latency\"\nselect = { policy = \"a\" }\nreduce = \"mean\"\n";
  // The mean of 2, 4 and 6 s.
  const Finding half = report_one("exact", "2.0", "", "s", mean + "formula = \"value / 2\"\n");
  CHECK(half.verdict == Verdict::exact);
  CHECK(half.note == "mean of 3 values, 1 to 3");
  CHECK(report_one("exact", "15", "", "1/min", mean + "formula = \"1 / value\"\n").verdict == Verdict::exact);
  CHECK_THROWS_WITH(
      report_one("exact", "1", "", "s", mean + "formula = \"valu / 2\"\n"),
      Catch::Contains("paper.toml:1:1") && Catch::Contains("unknown name 'valu' (did you mean 'value'?)"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "s", mean + "formula = \"value /\"\n"),
                    Catch::Contains("formula 'value /'"));
  CHECK_THROWS_WITH(report_one("exact", "1", "", "s", mean + "with = { gpu = { model = \"m\" } }\n"),
                    Catch::Contains("needs the key 'measured'"));
}

namespace {

/// The report on values a and b, two measured times by ours, and on c, which is made of both.
std::vector<Finding> report_of_measured(const std::string& row, const std::string& of) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.file("published"));
  std::ofstream(scratch.file("gpu.csv")) << "quantity,model,value,unit\ntime,m,4,s\ntime,l,0.3,min\npower,m,7,W\n";
  std::ofstream(scratch.file("published/paper.csv")) << "id,paper,where,kind,value,value_hi,unit\nc,paper,1,average,2,,"
                                                        "x\na,paper,1,exact,1,,x\nb,paper,1,exact,3,,x\n";
  std::ofstream(scratch.file("published/paper.toml"))
      << "measured = \"../gpu.csv\"\n[[check]]\nid = \"c\"\nof = " << of << "\nreduce = \"mean\"\n"
      << "[[check]]\nid = \"a\"\nsystem = \"fake\"\nstudy = \"one\"\nmetric = \"latency\"\n"
      << "select = { policy = \"a\", n = 2 }\nformula = \"gpu / value\"\nwith = { gpu = " << row << " }\n"
      << "[[check]]\nid = \"b\"\nsystem = \"fake\"\nstudy = \"one\"\nmetric = \"latency\"\n"
      << "select = { policy = \"a\", n = 3 }\nformula = \"gpu / value\"\n"
      << "with = { gpu = { quantity = \"time\", model = \"l\" } }\nrole = \"artifact\"\n";
  return make_report({write_study(scratch)}, read_published(scratch.file("published")), {"paper"});
}

const std::string measured_row = "{ quantity = \"time\", model = \"m\" }";

}  // namespace

TEST_CASE("measured values in formulas, and values that are made of others", "[report]") {
  const auto findings = report_of_measured(measured_row, "[\"a\", \"b\"]");
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].published.id == "c");
  CHECK(*findings[0].number == Approx(2));
  CHECK(findings[0].role == "validation");
  CHECK(*findings[1].number == Approx(1));
  CHECK(*findings[2].number == Approx(3));
  CHECK(findings[2].role == "artifact");
}

TEST_CASE("mistakes in measured rows and in values made of others have their place", "[report]") {
  const auto report = [](const std::string& row, const std::string& of) { report_of_measured(row, of); };
  CHECK_THROWS_WITH(report("{ model = \"m\" }", "[\"a\"]"),
                    Catch::Contains("paper.toml:6:1") && Catch::Contains("2 different values with model = \"m\""));
  CHECK_THROWS_WITH(report("{ model = \"x\" }", "[\"a\"]"), Catch::Contains("0 different values"));
  CHECK_THROWS_WITH(report("{ modell = \"m\" }", "[\"a\"]"), Catch::Contains("did you mean 'model'"));
  CHECK_THROWS_WITH(report(measured_row, "[\"a\", \"d\"]"), Catch::Contains("'d' is no value with a check"));
  CHECK_THROWS_WITH(report(measured_row, "[\"c\"]"), Catch::Contains("'c' is no value with a check"));
}

TEST_CASE("a paper that is asked for is reported though no study of it is there", "[report]") {
  const ScratchFolder scratch;
  std::ofstream(scratch.file("paper.csv"))
      << "id,paper,where,kind,value,value_hi,unit\nthe-id,paper,Table 1,exact,2,,s\n";
  std::ofstream(scratch.file("paper.toml")) << "[[check]]\nid = \"the-id\"\nnote = \"not modeled\"\n";
  const std::string results = write_study(scratch);
  CHECK(make_report({results}, read_published(scratch.file(""))).empty());
  const auto findings = make_report({results}, read_published(scratch.file("")), {"paper"});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].verdict == Verdict::open);
  CHECK(findings[0].note == "not modeled");
  CHECK_THROWS_WITH(make_report({results}, read_published(scratch.file("")), {"papers"}),
                    Catch::Contains("did you mean 'paper'"));
}

}  // namespace pimsweep::results
