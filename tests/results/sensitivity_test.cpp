#include "results/sensitivity.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "base/error.h"
#include "fake_study.h"
#include "results/results_file.h"
#include "results/study_sensitivity.h"
#include "scratch_folder.h"

using namespace pimsweep::results::sensitivity;
using namespace pimsweep::results;
using namespace pimsweep;
using namespace pimsweep::systems;

namespace {

using Function = std::function<double(const std::vector<double>&)>;

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

/// Of numbers in 0..1: Ishigami and Homma 1990 with a = 7, b = 0.1.
double ishigami(const std::vector<double>& u) {
  const auto x = [&](std::size_t i) { return (2 * u[i] - 1) * M_PI; };
  return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
}

/// Saltelli and Sobol 1995: first-order variances 1 / (3 (1 + a)^2).
const std::vector<double> g_weights{0, 1, 4.5, 9};
double sobol_g(const std::vector<double>& u) {
  double product = 1;
  for (std::size_t i = 0; i < u.size(); ++i) product *= (std::abs(4 * u[i] - 2) + g_weights[i]) / (1 + g_weights[i]);
  return product;
}

std::vector<double> saltelli_design(const Function& f, std::size_t axes, std::size_t blocks) {
  std::mt19937_64 random(6);
  std::vector<double> y;
  std::vector<double> a(axes);
  std::vector<double> b(axes);
  for (std::size_t n = 0; n < blocks; ++n) {
    for (std::size_t i = 0; i < axes; ++i) {
      a[i] = uniform(random);
      b[i] = uniform(random);
    }
    y.push_back(f(a));
    y.push_back(f(b));
    for (std::size_t i = 0; i < axes; ++i) {
      std::swap(a[i], b[i]);
      y.push_back(f(a));
      std::swap(a[i], b[i]);
    }
  }
  return y;
}

/// The known number lies near the estimate, by the estimate's own interval widened to about four standard errors.
void check_near(const Share& share, double known) {
  CHECK(std::abs(share.value - known) <= 2 * (share.high - share.value));
  CHECK(share.high - share.low < 0.15);
}

}  // namespace

TEST_CASE("Saltelli's estimators give the known indices of the Ishigami function") {
  const std::vector<SaltelliShares> shares = saltelli(saltelli_design(ishigami, 3, 1U << 13U), 3);
  const double first[] = {0.3139, 0.4424, 0};
  const double total[] = {0.5576, 0.4424, 0.2437};
  for (std::size_t i = 0; i < 3; ++i) {
    check_near(shares[i].first_order, first[i]);
    check_near(shares[i].total, total[i]);
  }
}

TEST_CASE("Saltelli's estimators give the known indices of the Sobol g function") {
  const std::vector<SaltelliShares> shares = saltelli(saltelli_design(sobol_g, 4, 1U << 13U), 4);
  const auto partial = [](std::size_t i) { return 1 / (3 * std::pow(1 + g_weights[i], 2)); };
  double all = 1;
  for (std::size_t i = 0; i < 4; ++i) all *= 1 + partial(i);
  for (std::size_t i = 0; i < 4; ++i) {
    check_near(shares[i].first_order, partial(i) / (all - 1));
    check_near(shares[i].total, partial(i) * all / (1 + partial(i)) / (all - 1));
  }
}

TEST_CASE("Points as given: first order and interactions of the Ishigami function, and none where there is none") {
  std::mt19937_64 random(7);
  constexpr std::size_t bins = 32;
  std::vector<double> y;
  std::vector<Levels> axes(4, Levels{{}, bins});
  for (int n = 0; n < 1 << 15; ++n) {
    std::vector<double> u;
    for (Levels& axis : axes) {
      u.push_back(uniform(random));
      axis.of.push_back(static_cast<std::uint8_t>(u.back() * bins));
    }
    y.push_back(ishigami(u));
  }
  // What varies within a bin is not seen: less than 0.01 here.
  const double first[] = {0.3139, 0.4424, 0, 0};
  for (std::size_t i = 0; i < 4; ++i) CHECK(first_order(y, axes[i], false, 1).value == Approx(first[i]).margin(0.02));
  CHECK(interaction(y, axes[0], axes[2], false, 1).value == Approx(0.2437).margin(0.02));
  CHECK(interaction(y, axes[0], axes[1], false, 1).value == Approx(0).margin(0.02));
  CHECK(interaction(y, axes[2], axes[3], false, 1).value == Approx(0).margin(0.02));
}

TEST_CASE("On a grid the shares of main effects and interactions of two axes are exact and sum to one") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t rows = 2 + random() % 6;
    const std::size_t columns = 2 + random() % 6;
    std::vector<Levels> axes{{{}, rows}, {{}, columns}};
    std::vector<double> y;
    std::vector<double> sum;
    std::vector<double> row_part;
    for (std::size_t i = 0; i < rows; ++i) row_part.push_back(uniform(random));
    std::vector<double> column_part;
    for (std::size_t j = 0; j < columns; ++j) column_part.push_back(uniform(random));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        axes[0].of.push_back(static_cast<std::uint8_t>(i));
        axes[1].of.push_back(static_cast<std::uint8_t>(j));
        y.push_back(uniform(random));
        sum.push_back(row_part[i] + column_part[j]);
      }
    }
    REQUIRE(is_factorial(axes));
    const double a = first_order(y, axes[0], true, 1).value;
    const double b = first_order(y, axes[1], true, 1).value;
    const double ab = interaction(y, axes[0], axes[1], true, 1).value;
    CHECK(a + b + ab == Approx(1));
    CHECK(factorial_total(y, axes, 0) == Approx(a + ab));
    CHECK(factorial_total(y, axes, 1) == Approx(b + ab));
    // A sum has no interaction.
    CHECK(interaction(sum, axes[0], axes[1], true, 1).value == Approx(0).margin(1e-12));
    axes[0].of[0] = 1;
    CHECK_FALSE(is_factorial(axes));
  }
}

namespace {

/// Points of the axes x and n, with the metric that `latency` gives.
std::string write(const ScratchFolder& scratch, const std::vector<std::pair<double, std::int64_t>>& points,
                  const std::function<double(double, double)>& latency) {
  auto study = std::make_unique<test::FakeStudy>("s", test::fake_schema(), test::fake_inputs());
  for (const auto& [x, n] : points) {
    study->add({x, std::string("a"), true, n, std::string("l"), 1.0},
               test::fake_record(latency(x, static_cast<double>(n)), "a", 0));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  const std::string path = scratch.file("results.h5");
  write_results(path, {"x", "", {}}, studies, {});
  return path;
}

}  // namespace

TEST_CASE("A file's study is taken for what it is: a grid, a saltelli sample, points as given") {
  const ScratchFolder scratch;
  std::mt19937_64 random(9);
  const auto product = [](double x, double n) { return 1 + x * n; };
  std::vector<std::pair<double, std::int64_t>> points;
  for (int x = 0; x < 3; ++x) {
    for (int n = 0; n < 4; ++n) points.emplace_back(x, n);
  }
  const StudySensitivity grid = find_sensitivity(write(scratch, points, product), "s", "latency");
  CHECK(grid.method == SensitivityMethod::factorial);
  // Variances of x and n are 2/3 and 5/4, means 1 and 3/2: parts 3/2, 5/4 and 5/6 of the product's variance.
  CHECK(grid.axes[0].axis == "x");
  CHECK(grid.axes[0].first_order.value == Approx(1.5 / (1.5 + 1.25 + 5.0 / 6)));
  CHECK(grid.axes[1].total->value == Approx((1.25 + 5.0 / 6) / (1.5 + 1.25 + 5.0 / 6)));

  points.clear();
  std::vector<std::pair<double, std::int64_t>> drawn;
  for (int block = 0; block < 1000; ++block) {
    const std::pair<double, std::int64_t> a{uniform(random), static_cast<std::int64_t>(random() % 50)};
    const std::pair<double, std::int64_t> b{uniform(random), static_cast<std::int64_t>(random() % 50)};
    // The order in which the file's author gave the axes, not that of their columns.
    points.insert(points.end(), {a, b, {a.first, b.second}, {b.first, a.second}});
    drawn.push_back(a);
  }
  const auto sum = [](double x, double n) { return x + n / 50; };
  const StudySensitivity sample = find_sensitivity(write(scratch, points, sum), "s", "latency");
  CHECK(sample.method == SensitivityMethod::saltelli);
  CHECK(sample.used == 4000);
  for (const StudySensitivity::OfAxis& axis : sample.axes) {
    check_near(axis.first_order, 0.5);
    check_near(*axis.total, 0.5);
  }
  const StudySensitivity given = find_sensitivity(write(scratch, drawn, sum), "s", "latency");
  CHECK(given.method == SensitivityMethod::given_data);
  for (const StudySensitivity::OfAxis& axis : given.axes) {
    CHECK(axis.first_order.value == Approx(0.5).margin(0.05));
    CHECK_FALSE(axis.total);
  }
}

TEST_CASE("Axes that advance together are one factor with all its levels") {
  const ScratchFolder scratch;
  auto study = std::make_unique<test::FakeStudy>("s", test::fake_schema(), test::fake_inputs());
  for (int level = 0; level < 3; ++level) {
    for (const char* policy : {"a", "b"}) {
      // x and n are a zip; two of its three values of n are equal.
      study->add(
          {static_cast<double>(level), std::string(policy), true, std::int64_t{level / 2}, std::string("l"), 1.0},
          test::fake_record(1 + level + (*policy == 'a' ? 0.5 : 0), "w", 0));
    }
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("zip.h5"), {"x", "", {}}, studies, {});
  const StudySensitivity found = find_sensitivity(scratch.file("zip.h5"), "s", "latency");
  CHECK(found.method == SensitivityMethod::factorial);
  REQUIRE(found.axes.size() == 2);
  CHECK(found.axes[0].axis == "x + n");
  CHECK(found.axes[0].levels == 3);
  // Variances are 2/3 and 1/16.
  CHECK(found.axes[0].first_order.value == Approx((2.0 / 3) / (2.0 / 3 + 1.0 / 16)));
  CHECK(found.axes[1].axis == "policy");
  CHECK(found.axes[1].levels == 2);
}

TEST_CASE("A metric that does not vary, and one that is unknown, are told") {
  const ScratchFolder scratch;
  const std::string path = write(scratch, {{1, 1}, {2, 2}}, [](double, double) { return 1; });
  CHECK_THROWS_WITH(find_sensitivity(path, "s", "latency"), Catch::Contains("do not vary"));
  CHECK_THROWS_WITH(find_sensitivity(path, "s", "latnecy"), Catch::Contains("did you mean 'latency'"));
}
