#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "fixture.h"
#include "sweep/derived_metrics.h"
#include "sweep/expression_unit.h"
#include "sweep/search_settings.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// Six lines; [study.derived] stands on line 7 and its first metric on line 8.
const std::string study_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n";

std::string with(const std::string& derived) {
  return study_text + "[study.derived]\n" + derived + "\n[study.axes]\nbatch = [1, 4]\n";
}

Plan plan_of(const std::string& experiment) {
  static const Workplace place;
  return place.load(experiment);
}

std::string errors(const std::string& derived) {
  static const Workplace place;
  return place.errors(with(derived));
}

std::string unit_of(const std::string& expression) {
  Schema names;
  for (const auto& [name, unit] : std::vector<std::pair<std::string, std::string>>{
           {"time", "s"}, {"energy", "J"}, {"bytes", "B"}, {"clock", "MHz"}, {"area", "mm^2"}, {"count", "1"}}) {
    Axis& axis = names.axes.emplace_back();
    axis.name = name;
    axis.unit = unit;
  }
  ProblemList problems;
  const auto unit = unit_of_expression({expression, {"x"}, {}}, names, problems);
  return unit ? *unit : problems.problems().front().message;
}

}  // namespace

TEST_CASE("Units of expressions follow from those of their names") {
  CHECK(unit_of("time * energy") == "s*J");
  CHECK(unit_of("energy / time") == "J/s");
  CHECK(unit_of("-energy * time ^ 2") == "s^2*J");
  CHECK(unit_of("bytes / time / energy") == "B/s/J");
  CHECK(unit_of("1 / time - clock") == "1/s");
  CHECK(unit_of("time * clock") == "1");
  CHECK(unit_of("sqrt(area)") == "m");
  CHECK(unit_of("time ^ -(2)") == "1/s^2");
  CHECK(unit_of("max(time, 0) + (count > 2 ? time : 2 * time)") == "s");
  CHECK(unit_of("exp(time * clock)") == "1");
  CHECK(unit_of("sign(time)") == "1");
  CHECK(unit_of("time > 0 && energy < energy") == "1");
}

TEST_CASE("Violations of units are reported at the operator") {
  CHECK(unit_of("time + energy") == "'+' needs equal units, got 's' and 'J'");
  CHECK(unit_of("time < 1") == "'<' needs equal units, got 's' and '1'");
  CHECK(unit_of("min(time, energy)") == "'min' needs equal units, got 's' and 'J'");
  CHECK(unit_of("exp(time)") == "'exp' needs numbers without a unit, got 's'");
  CHECK(unit_of("time ^ count") == "a quantity in 's' is raised to whole numbers only");
  CHECK(unit_of("2 ^ time") == "'^' needs numbers without a unit, got 's'");
  CHECK(unit_of("sqrt(time)") == "the root of 's' does not have a unit");
  CHECK(unit_of("time ^ 9 * time") == "the powers of the unit are too high at '*'");
  CHECK(errors("a = \"latency + cycles\"") == "x.toml:8:14: '+' needs equal units, got 's' and '1'");
}

TEST_CASE("Derived metrics name each other in any order") {
  const Plan plan = plan_of(with("b = \"a / batch\"\na = \"latency * 2\""));
  const std::vector<DerivedMetric>& derived = plan.studies.front().derived();
  REQUIRE(derived.size() == 2);
  CHECK(derived[0].metric.name == "a");
  CHECK(derived[1].metric.name == "b");
  CHECK(derived[1].metric.unit == "s");
  CHECK(derived[1].metric.doc == "a / batch");
  CHECK(derived[1].expression.text == "(latency * 2) / batch");
}

TEST_CASE("A derived metric does not change points") {
  CHECK(plan_of(with("a = \"latency * 2\"")).studies.front().hash() == plan_of(with("")).studies.front().hash());
}

TEST_CASE("Mistakes in derived metrics are reported with their places") {
  CHECK(errors("a = \"b\"\nb = \"a + 1\"") == "x.toml:9:6: derived metric 'a' depends on itself: a -> b -> a");
  CHECK(errors("a = \"a\"") == "x.toml:8:6: derived metric 'a' depends on itself: a -> a");
  CHECK(errors("latency = \"cycles\"") ==
        "x.toml:8:1: a derived metric cannot be named 'latency': it is a metric of system 'machine'");
  CHECK(errors("batch = \"cycles\"") ==
        "x.toml:8:1: a derived metric cannot be named 'batch': it is an axis of system 'machine'");
  CHECK(errors("min = \"cycles\"") ==
        "x.toml:8:1: a derived metric cannot be named 'min': it is a function or constant of expressions");
  CHECK(
      errors("\"2x\" = \"cycles\"") ==
      "x.toml:8:1: a derived metric cannot be named '2x': use letters, digits and '_', and no digit at the beginning");
  CHECK(errors("a = \"latncy * 2\"") ==
        "x.toml:8:6: unknown name 'latncy': neither an axis of system 'machine' nor a function (did you mean "
        "'latency'?)");
  CHECK(errors("a = 3") ==
        "x.toml:8:5: 'a': expected an expression in quotes, as in \"time * energy\", got the integer 3");
  CHECK(errors("a = \"latency *\"") == "x.toml:8:15: the condition ends too early");
  // Doubles thirteen times.
  std::string doubling = "m0 = \"latency + latency\"\n";
  for (int i = 1; i < 14; ++i)
    doubling += "m" + std::to_string(i) + " = \"m" + std::to_string(i - 1) + " + m" + std::to_string(i - 1) + "\"\n";
  CHECK(errors(doubling).find("the expression of 'm8' is too long") != std::string::npos);
}

TEST_CASE("Values are missing where a metric is, or where they are not finite") {
  const Plan plan = plan_of(with("ratio = \"latency / cycles\"\nscaled = \"latency * batch\""));
  const Study& study = plan.studies.front();
  DerivedValues values(study.derived(), study.schema());
  Point point(study.schema().axes.size());
  study.point(1, point);
  const auto derive = [&](double latency, double cycles, Status status) {
    Record record;
    record.reset(study.schema());
    record.status = status;
    record.metrics[0] = latency;
    record.metrics[1] = cycles;
    values.append(point, record);
    return std::vector<double>{std::get<double>(record.metrics[3]), std::get<double>(record.metrics[4])};
  };
  CHECK(derive(2, 8, Status::ok) == std::vector<double>{0.25, 8});
  const std::vector<double> divided = derive(2, 0, Status::ok);
  CHECK(std::isnan(divided[0]));
  CHECK(divided[1] == 8);
  CHECK(std::isnan(derive(NAN, 1, Status::ok)[1]));
  CHECK(std::isnan(derive(2, 8, Status::infeasible)[1]));
}

TEST_CASE("A search optimizes expressions and derived metrics") {
  const std::string search = "[study.search]\nmin = [\"cost\", \"latency * cycles\"]\npoints = 4\n";
  const Plan plan = plan_of(with("cost = \"latency / batch\"") + search);
  const SearchSettings& settings = *plan.studies.front().search();
  REQUIRE(settings.objectives.size() == 2);
  CHECK(settings.objectives[0].name == "cost");
  CHECK(settings.objectives[0].expression.text == "(latency / batch)");
  CHECK(settings.objectives[1].name == "latency*cycles");
  CHECK(settings.observed == std::vector<std::size_t>{0, 1});
  static const Workplace place;
  CHECK(place.errors(with("") + "[study.search]\nmin = [\"latency + cycles\"]\npoints = 4\n")
            .find("'+' needs equal units, got 's' and '1'") != std::string::npos);
  CHECK(place.errors(with("") + "[study.search]\nmin = [\"batch * 2\"]\npoints = 4\n")
            .find("objective 'batch * 2' names no metric") != std::string::npos);
}
