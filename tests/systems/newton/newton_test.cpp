#include "systems/parts/newton/newton.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"

using namespace pimsweep::systems::parts::newton;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

/// A point whose axes have their defaults unless set; the layer is a 1x1 convolution of 28 x 28 x 192 to 32.
class TestPoint {
 public:
  explicit TestPoint(const Schema& schema) : schema_(schema), point_(schema.axes.size()) {
    for (const Axis& axis : schema.axes) values_.push_back(axis.default_value.value_or(Value{}));
    for (std::size_t i = 0; i < values_.size(); ++i) point_.set(i, &values_[i]);
    count("H", 28).count("W", 28).count("Cin", 192).count("Cout", 32);
  }
  TestPoint& set(const std::string& axis, Value value) {
    values_.at(static_cast<std::size_t>(schema_.axis_index(axis))) = std::move(value);
    return *this;
  }
  TestPoint& count(const std::string& axis, std::int64_t value) { return set(axis, Value{value}); }
  const Point& get() const { return point_; }

 private:
  const Schema& schema_;
  std::vector<Value> values_;
  Point point_;
};

Record evaluate(System& system, const TestPoint& point) {
  Record record;
  record.reset(system.schema());
  system.evaluate(point.get(), record);
  return record;
}

double metric(System& system, const TestPoint& point, const std::string& name) {
  const Record record = evaluate(system, point);
  CHECK(record.message == "");
  REQUIRE(record.status == Status::ok);
  return to_real(record.metrics.at(static_cast<std::size_t>(system.schema().metric_index(name))));
}

/// A folder with configs/hardware of the project and what a test writes to it.
class Configs {
 public:
  Configs() : folder_(std::filesystem::temp_directory_path() / ("pimsweep-newton-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "hardware");
  }
  ~Configs() { std::filesystem::remove_all(folder_); }
  Configs(const Configs&) = delete;
  Configs& operator=(const Configs&) = delete;

  void copy(const std::string& name) const {
    std::filesystem::copy_file("configs/hardware/" + name, folder_ / "hardware" / name);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "hardware" / name) << text;
  }
  std::string path() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("metrics of a layer are those of the artifact, in both fidelities") {
  const auto system = make_newton("configs");
  TestPoint point(system->schema());
  point.count("H", 112).count("W", 112).count("Cin", 16).count("Cout", 96);
  for (const std::string fidelity : {"closed-form", "cycle"}) {
    point.set("fidelity", fidelity);
    CHECK(metric(*system, point, "pim_cycles") == 27150);
    CHECK(metric(*system, point, "time") == Approx(27150 / 875e6).epsilon(1e-12));
    CHECK(metric(*system, point, "k_first_segment") == 2);
    CHECK(metric(*system, point, "n_REF") == 14);
  }
  // Energy is the published constants times the first channel's commands.
  const double comp = 16 * (16 * 1.5e-12 + 0.175814e-9 + 1.16822e-9 / 32);
  const double expected = 14 * 16 * 0.03183e-9 + 4704 * 0.175814e-9 + 196 * 0.181995e-9 + 4704 * comp;
  CHECK(metric(*system, point, "energy_busiest") == Approx(expected).epsilon(1e-12));
  CHECK(metric(*system, point, "energy") > 12 * expected);
  CHECK(metric(*system, point, "macs") == 112.0 * 112 * 16 * 96);
}

TEST_CASE("a preset is the same by its name and as the study's hardware") {
  const auto system = make_newton("configs");
  const Schema& schema = system->schema();
  TestPoint named(schema);
  named.set("preset", std::string("GDDR6_5000"));
  TestPoint by_constants(schema);
  // 15, 15, 15, 35, 50, 29, 482, 2613: the grade as the artifact has it.
  by_constants.set("hardware.clock", 1.25e9);
  const std::vector<std::pair<std::string, std::int64_t>> timing{
      {"nCL", 15}, {"nRCD", 15}, {"nRP", 15}, {"nRAS", 35}, {"nRC", 50}, {"nFAW", 29}, {"nRFC", 482}, {"nREFI", 2613}};
  for (const auto& [key, value] : timing) by_constants.count("hardware.timing." + key, value);
  CHECK(evaluate(*system, named).metrics == evaluate(*system, by_constants).metrics);
  CHECK(metric(*system, named, "pim_cycles") != metric(*system, TestPoint(schema), "pim_cycles"));

  // Both at once are fine where they agree; else neither is silently ignored.
  by_constants.set("preset", std::string("GDDR6_5000"));
  CHECK(evaluate(*system, by_constants).metrics == evaluate(*system, named).metrics);
  by_constants.count("hardware.timing.nFAW", 31);
  CHECK_THROWS_WITH(evaluate(*system, by_constants),
                    Catch::Contains("preset GDDR6_5000 has hardware.timing.nFAW = 29, but it is given as 31"));
}

TEST_CASE("what the artifact cannot run is infeasible, with the reason") {
  const auto system = make_newton("configs");
  const auto message = [&](TestPoint& point) {
    const Record record = evaluate(*system, point);
    CHECK(record.status == Status::infeasible);
    return record.message;
  };
  TestPoint few(system->schema());
  CHECK_THAT(message(few.count("channels", 3)), Catch::Contains("more groups than 3 channels"));
  CHECK(metric(*system, few.count("n_gwrite", 2), "pim_cycles") > 0);
  TestPoint fastest(system->schema());
  CHECK_THAT(message(fastest.set("preset", std::string("GDDR6_7000"))), Catch::Contains("aborts"));
  TestPoint hbm(system->schema());
  CHECK_THAT(message(hbm.set("preset", std::string("HBM_1Gbps"))), Catch::Contains("never serves a refresh"));
  CHECK(metric(*system, hbm.count("H", 2).count("W", 2), "pim_cycles") < 3315);
  CHECK(metric(*system, hbm.count("H", 112).count("W", 112).set("controller", std::string("paper")), "n_REF") > 0);
}

TEST_CASE("layers without a PIM part cost nothing, impossible ones are refused") {
  const auto system = make_newton("configs");
  TestPoint point(system->schema());
  CHECK(metric(*system, point.count("split_out_of_10", 0), "pim_cycles") == 0);
  CHECK(metric(*system, point.count("split_out_of_10", 5).count("H", 1), "pim_cycles") == 0);
  CHECK(metric(*system, point.count("split_out_of_10", 10), "pim_cycles") > 0);
  CHECK_THROWS_WITH(evaluate(*system, point.count("KH", 3)),
                    "a 3 x 1 kernel does not fit an image of 1 x 28 with padding 0");
  const std::int64_t most = 1 << 20;
  point.count("H", most).count("W", most).count("Cin", most);
  CHECK_THROWS_WITH(evaluate(*system, point), Catch::Contains("multiply-accumulates: more than 1e+18"));
  point.count("Cin", 64).set("fidelity", std::string("cycle"));
  CHECK_THROWS_WITH(evaluate(*system, point), Catch::Contains("closed-form"));
  CHECK(metric(*system, point.set("fidelity", std::string("closed-form")), "pim_cycles") > 1e11);
}

TEST_CASE("a changed preset file changes the identity of its points") {
  const Configs configs;
  configs.copy("newton-GDDR6_3500.toml");
  configs.write("newton-MINE.toml", "[timing.nFAW]\nvalue = 20\nsource = \"a test\"\n");
  std::set<Hash128> identities;
  for (int round = 0; round < 2; ++round) {
    const auto system = make_newton(configs.path());
    TestPoint point(system->schema());
    identities.insert(identity(*system, point.set("preset", std::string("MINE")).get()));
    configs.write("newton-MINE.toml", "[timing.nFAW]\nvalue = 21\nsource = \"a test\"\n");
  }
  CHECK(identities.size() == 2);
}

TEST_CASE("all that is wrong with preset files is told at once, with its place") {
  const Configs configs;
  CHECK_THROWS_WITH(make_newton(configs.path()), Catch::Contains("lacks newton-GDDR6_3500.toml"));
  configs.copy("newton-GDDR6_3500.toml");
  configs.write("newton-A.toml", "[clock]\nvalue = \"3 ns\"\n[timing.nFAW]\nvalue = -1\n[timing.nCDD]\nvalue = 2\n");
  configs.write("newton-B.toml", "[timing.nRP]\nvalue = true\n[newton.refresh_served]\nvalue = 3\n");
  configs.write("newton-C.toml", "[timing.nRP\n");
  try {
    make_newton(configs.path());
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"newton-A.toml:2:9: [clock]", "newton-A.toml:4:9: [timing.nFAW] needs an integer from 0",
                             "'timing.nCDD' (did you mean 'timing.nCCD'?)", "newton-B.toml:2:9: [timing.nRP]",
                             "newton-B.toml:4:9: [newton.refresh_served] needs true or false", "newton-C.toml:1:"}) {
      CHECK_THAT(text, Catch::Contains(part));
    }
  }
}

TEST_CASE("explain tells the schedule of both controllers") {
  const auto system = make_newton("configs");
  TestPoint point(system->schema());
  for (const std::string controller : {"artifact", "paper"}) {
    Explanation explanation;
    system->explain(point.set("controller", controller).get(), explanation);
    REQUIRE(explanation.sections.size() >= 3);
    const Explanation::Line& cycles = explanation.sections.back().lines.at(0);
    CHECK(cycles.name == "cycles");
    CHECK(std::stod(cycles.value) == metric(*system, point, "pim_cycles"));
  }
}
