#include "systems/pimflow/search/cover.h"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

namespace pimsweep::systems::pimflow {
namespace {

struct Chain {
  std::vector<double> single;
  std::vector<search::Group> groups;
};

Chain random_chain(std::mt19937& random) {
  std::uniform_real_distribution<double> cost(0, 10);
  Chain chain;
  const std::size_t size = 1 + random() % 9;
  for (std::size_t i = 0; i < size; ++i) chain.single.push_back(cost(random));
  const std::size_t groups = random() % 12;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t length = 2 + random() % 2;
    if (length > size) continue;
    chain.groups.push_back({random() % (size - length + 1), length, cost(random) * static_cast<double>(length)});
  }
  return chain;
}

/// Every way of covering the places from `first` on.
double try_everything(const Chain& chain, std::size_t first) {
  if (first == chain.single.size()) return 0;
  double least = chain.single[first] + try_everything(chain, first + 1);
  for (const search::Group& group : chain.groups) {
    if (group.first == first) least = std::min(least, group.cost + try_everything(chain, first + group.length));
  }
  return least;
}

/// Algorithm 1 as printed, but for T[i][l] in place of T[i][i] and infinity at the start.
double algorithm_1(const Chain& chain) {
  const std::size_t n = chain.single.size();
  std::vector<std::vector<double>> t(n, std::vector<double>(n + 1, std::numeric_limits<double>::infinity()));
  for (std::size_t i = 0; i < n; ++i) t[i][1] = chain.single[i];
  for (const search::Group& group : chain.groups)
    t[group.first][group.length] = std::min(t[group.first][group.length], group.cost);
  for (std::size_t l = 2; l <= n; ++l) {
    for (std::size_t i = 0; i + l <= n; ++i) {
      for (std::size_t k = 1; k < l; ++k) t[i][l] = std::min(t[i][l], t[i][k] + t[i + k][l - k]);
    }
  }
  return t[0][n];
}

/// The cost of what was chosen; groups must not overlap.
double cost_of(const Chain& chain, const std::vector<std::size_t>& taken) {
  std::vector<bool> covered(chain.single.size(), false);
  double sum = 0;
  for (const std::size_t g : taken) {
    sum += chain.groups[g].cost;
    for (std::size_t i = 0; i < chain.groups[g].length; ++i) {
      REQUIRE_FALSE(covered[chain.groups[g].first + i]);
      covered[chain.groups[g].first + i] = true;
    }
  }
  for (std::size_t i = 0; i < covered.size(); ++i) sum += covered[i] ? 0 : chain.single[i];
  return sum;
}

}  // namespace

TEST_CASE("the cover is the best of all, and what Algorithm 1 finds") {
  std::mt19937 random(1);
  int with_groups = 0;
  for (int i = 0; i < 2000; ++i) {
    const Chain chain = random_chain(random);
    const std::vector<std::size_t> taken = search::best_cover(chain.single, chain.groups);
    with_groups += taken.empty() ? 0 : 1;
    const double least = try_everything(chain, 0);
    REQUIRE(cost_of(chain, taken) == Approx(least).epsilon(1e-12));
    REQUIRE(algorithm_1(chain) == Approx(least).epsilon(1e-12));
  }
  CHECK(with_groups > 500);
}

TEST_CASE("groups that do not fit the chain are left out") {
  const std::vector<double> single{5, 5};
  const std::vector<search::Group> groups{{0, 0, 0}, {1, 2, 1}, {7, 1, 0}};
  CHECK(search::best_cover(single, groups).empty());
  CHECK(search::best_cover({}, {}).empty());
}

}  // namespace pimsweep::systems::pimflow
