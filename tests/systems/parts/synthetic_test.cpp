#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "systems/parts/parts.h"

using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

/// A point of the synthetic system whose axes have their defaults unless set.
class TestPoint {
 public:
  explicit TestPoint(const Schema& schema) : schema_(schema), point_(schema.axes.size()) {
    for (const Axis& axis : schema.axes) values_.push_back(*axis.default_value);
    for (std::size_t i = 0; i < values_.size(); ++i) point_.set(i, &values_[i]);
  }
  TestPoint& set(const std::string& axis, Value value) {
    values_.at(static_cast<std::size_t>(schema_.axis_index(axis))) = std::move(value);
    return *this;
  }
  const Point& get() const { return point_; }

 private:
  const Schema& schema_;
  std::vector<Value> values_;
  Point point_;
};

Record evaluate(System& system, const Point& point) {
  Record record;
  record.reset(system.schema());
  system.evaluate(point, record);
  return record;
}

}  // namespace

TEST_CASE("a point's result depends on the point alone") {
  const auto first = make_system("synthetic", "");
  const auto second = make_system("synthetic", "");
  std::set<double> checksums;
  for (std::int64_t n = 0; n < 200; ++n) {
    TestPoint point(first->schema());
    point.set("n", n).set("rows", n % 4).set("label", std::string("\u00e4"));
    const Record a = evaluate(*first, point.get());
    const Record b = evaluate(*second, point.get());
    CHECK(a.status == Status::ok);
    CHECK(a.metrics == b.metrics);
    CHECK(a.tables == b.tables);
    CHECK(a.tables[0].size() == static_cast<std::size_t>(n % 4) * first->schema().tables[0].columns.size());
    checksums.insert(std::get<double>(a.metrics[1]));
  }
  CHECK(checksums.size() == 200);
}

TEST_CASE("the identity tells every axis apart and nothing else") {
  const auto system = make_system("synthetic", "");
  const Schema& schema = system->schema();
  const std::map<std::string, Value> other{{"cost_distribution", std::string("lognormal")},
                                           {"cost_mean", 1e-9},
                                           {"failure_rate", 0.5},
                                           {"failure_kind", std::string("exception")},
                                           {"infeasible_rate", 0.5},
                                           {"rows", std::int64_t{1}},
                                           {"n", std::int64_t{1}},
                                           {"label", std::string("x")},
                                           {"seed", std::int64_t{1}}};
  REQUIRE(other.size() == schema.axes.size());
  IdentityHasher hasher(*system);
  std::set<Hash128> identities{hasher(TestPoint(schema).get())};
  for (const auto& [axis, value] : other) {
    TestPoint point(schema);
    point.set(axis, value);
    CHECK(hasher(point.get()) == identity(*system, point.get()));
    CHECK(identities.insert(hasher(point.get())).second);
  }
  TestPoint negative_zero(schema);
  negative_zero.set("cost_mean", -0.0);
  CHECK(identities.contains(hasher(negative_zero.get())));
}

TEST_CASE("failures and infeasible points come at about the rate asked for") {
  const auto system = make_system("synthetic", "");
  int failed = 0;
  int infeasible = 0;
  constexpr int points = 4000;
  for (std::int64_t n = 0; n < points; ++n) {
    TestPoint point(system->schema());
    point.set("n", n).set("failure_rate", 0.25).set("infeasible_rate", 0.5);
    try {
      const Record record = evaluate(*system, point.get());
      infeasible += record.status == Status::infeasible;
      CHECK(record.message.empty() == (record.status == Status::ok));
    } catch (const PointError&) {
      ++failed;
    }
  }
  // Expected 1000 and 1500, standard deviations 27 and 31.
  CHECK(std::abs(failed - 1000) < 150);
  CHECK(std::abs(infeasible - 1500) < 150);

  TestPoint point(system->schema());
  point.set("failure_rate", 1.0).set("failure_kind", std::string("exception"));
  CHECK_THROWS_AS(evaluate(*system, point.get()), std::runtime_error);
}

TEST_CASE("drawn costs have the mean asked for") {
  const auto system = make_system("synthetic", "");
  for (const std::string distribution : {"constant", "exponential", "lognormal"}) {
    double sum = 0;
    constexpr int points = 4000;
    for (std::int64_t n = 0; n < points; ++n) {
      TestPoint point(system->schema());
      // A mean that costs no time worth speaking of.
      point.set("n", n).set("cost_distribution", distribution).set("cost_mean", 1e-12);
      sum += to_real(evaluate(*system, point.get()).metrics[0]);
    }
    // The lognormal's standard deviation is 1.31 means: the mean of 4000 is good to 2.1 %.
    CHECK(sum / points == Approx(1e-12).epsilon(0.1));
  }
}

TEST_CASE("an unknown system is an error with the nearest name") {
  CHECK_THROWS_WITH(make_system("synthetik", ""), Catch::Contains("did you mean 'synthetic'"));
}
