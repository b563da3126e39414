#include "base/statistics.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "base/splitmix64.h"

using namespace pimsweep;

namespace {

/// Kendall's tau-b by its definition: every pair of pairs.
double counted_tau(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double untied_a = 0;
  double untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int of_a = (a[i] > a[j]) - (a[i] < a[j]);
      const int of_b = (b[i] > b[j]) - (b[i] < b[j]);
      difference += of_a * of_b;
      untied_a += of_a != 0;
      untied_b += of_b != 0;
    }
  }
  return difference / std::sqrt(untied_a * untied_b);
}

}  // namespace

TEST_CASE("Kendall's tau counts pairs, with and without ties") {
  SplitMix64 random(7);
  for (const std::uint64_t values : {3U, 10U, 1000U}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> a(40);
      std::vector<double> b(40);
      for (double& number : a) number = static_cast<double>(random() % values);
      for (double& number : b) number = static_cast<double>(random() % values);
      CHECK(kendall_tau(a, b) == Approx(counted_tau(a, b)));
    }
  }
}

TEST_CASE("Kendall's tau is 1 for the same order, -1 for the reverse, and undefined without an order") {
  const std::vector<double> rising{1, 2, 5, 9};
  const std::vector<double> falling{4, 3, 2, 1};
  CHECK(kendall_tau(rising, rising) == 1);
  CHECK(kendall_tau(rising, falling) == -1);
  CHECK(std::isnan(kendall_tau(rising, std::vector<double>(4, 1.0))));
}
