#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "systems/rtconc/regression/models.h"

using namespace pimsweep::systems::rtconc::regression;
using namespace pimsweep;

namespace {

struct Data {
  Samples samples;
  std::vector<double> targets;
};

/// Targets on a plane, with `outliers` far from it.
Data plane(std::mt19937& random, std::size_t count, std::size_t outliers) {
  std::normal_distribution<double> any;
  Data data{{3, {}}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double a = any(random);
    const double b = any(random);
    // The third feature says nothing that the first does not.
    data.samples.values.insert(data.samples.values.end(), {a, b, 2 * a});
    data.targets.push_back(3 * a - 2 * b + 5 + (i < outliers ? 1000 : 0));
  }
  return data;
}

/// A model that has learned data, to be asked about the same samples.
std::unique_ptr<Regressor> learned(std::string_view name, const Data& data) {
  auto model = std::ranges::find(methods, name, &Method::name)->make(1);
  model->prepare(data.samples, data.samples);
  model->fit(data.targets);
  return model;
}

double worst(const Regressor& model, const Data& data, std::size_t from) {
  double most = 0;
  for (std::size_t i = from; i < data.targets.size(); ++i) {
    most = std::max(most, std::abs(model.predict(0, i) - data.targets[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("Linear models find a plane; one of them in spite of outliers") {
  std::mt19937 random(3);
  const Data clean = plane(random, 200, 0);
  for (const char* name : {"ols", "theil-sen", "par"}) {
    INFO(name);
    const auto model = learned(name, clean);
    // PAR stops where it is near enough.
    CHECK(worst(*model, clean, 0) < (std::string(name) == "par" ? 0.5 : 1e-6));
  }
  const Data spoilt = plane(random, 200, 6);
  const auto robust = learned("theil-sen", spoilt);
  const auto fragile = learned("ols", spoilt);
  CHECK(worst(*robust, spoilt, 6) < worst(*fragile, spoilt, 6) / 3);
}

TEST_CASE("Trees and neighbors follow what is not linear") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-3, 3);
  Data data{{2, {}}, {}};
  for (int i = 0; i < 600; ++i) {
    const double a = any(random);
    const double b = any(random);
    data.samples.values.insert(data.samples.values.end(), {a, b});
    data.targets.push_back((a > 1 ? 10 : 0) + (b < 0 ? 5 : 0));
  }
  const auto errors = [&](const char* name) {
    const auto model = learned(name, data);
    double sum = 0;
    for (std::size_t i = 0; i < data.targets.size(); ++i) {
      sum += std::abs(model->predict(0, i) - data.targets[i]) / 600;
    }
    return sum;
  };
  CHECK(errors("gradient-boosting") < 0.2);
  CHECK(errors("k-neighbors") < 0.5);
  CHECK(errors("ols") > 1);
}

TEST_CASE("A model learns each of many targets as if it had learned no other") {
  std::mt19937 random(7);
  Data data = plane(random, 100, 0);
  // More than are learned side by side.
  std::vector<std::vector<double>> targets{data.targets};
  for (int i = 0; i < 10; ++i) {
    targets.push_back(targets.back());
    for (double& target : targets.back()) target = std::abs(target - i) + i % 3;
  }
  std::vector<double> all;
  for (const std::vector<double>& one : targets) all.insert(all.end(), one.begin(), one.end());
  for (const Method& method : methods) {
    INFO(method.name);
    const auto together = learned(method.name, data);
    together->fit(all);
    for (std::size_t which = 0; which < targets.size(); ++which) {
      data.targets = targets[which];
      const auto alone = learned(method.name, data);
      for (std::size_t i = 0; i < data.targets.size(); ++i) {
        CHECK(together->predict(which, i) == alone->predict(0, i));
      }
    }
  }
}

TEST_CASE("Neighbors predict the mean of the five nearest, which are found among all") {
  Data data{{1, {}}, {}};
  for (int i = 0; i < 20; ++i) {
    data.samples.values.push_back(i);
    data.targets.push_back(i * i);
  }
  KNeighbors model;
  const Samples asked{1, {10.2}};
  model.prepare(data.samples, asked);
  model.fit(data.targets);
  CHECK(model.predict(0, 0) == Approx((64 + 81 + 100 + 121 + 144) / 5.0));
}

TEST_CASE("Scaled features have mean 0 and deviation 1; what is always the same becomes 0") {
  const Samples raw{2, {1, 7, 3, 7, 8, 7}};
  const Samples scaled = Scaling(raw)(raw);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    sum += scaled.row(i)[0];
    squares += scaled.row(i)[0] * scaled.row(i)[0];
    CHECK(scaled.row(i)[1] == 0);
  }
  CHECK(sum == Approx(0).margin(1e-12));
  CHECK(squares == Approx(3));
}
