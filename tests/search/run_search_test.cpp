#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "search/search.h"

using namespace pimsweep;
using namespace pimsweep::search;

namespace {

/// Two objectives over four ordered dimensions and a category: the first falls, the second rises along the dimensions,
/// and only one category is good. Designs whose first number is odd are not allowed, those whose second is 0
/// infeasible.
class TestProblem final : public DesignProblem {
 public:
  explicit TestProblem(std::uint64_t size = 16, std::size_t objectives = 2)
      : space_({{size, true}, {size, true}, {size, true}, {size, true}, {7, false}}), objectives_(objectives) {}

  const Space& space() const override { return space_; }
  bool is_allowed(const Design& design) override { return design[0] % 2 == 0; }
  std::vector<Fitness> evaluate(const std::vector<Design>& generation) override {
    std::vector<Fitness> results;
    for (const Design& design : generation) {
      CHECK(is_allowed(design));
      CHECK(seen_.insert(space_.index_of(design)).second);
      points.push_back(space_.index_of(design));
      results.push_back(fitness_of(design));
      results.back().objectives.resize(objectives_);
    }
    generations.push_back(generation.size());
    return results;
  }
  static Fitness fitness_of(const Design& design) {
    double first = design[4] == 3 ? 0 : 100;
    double second = first;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto number = static_cast<double>(design[i]);
      first += (15 - number) * (15 - number);
      second += number * number;
    }
    return {{first, second}, design[1] == 0 ? 1.0 : 0.0};
  }

  std::vector<std::uint64_t> points;
  std::vector<std::size_t> generations;

 private:
  Space space_;
  std::size_t objectives_;
  std::set<std::uint64_t> seen_;
};

sweep::SearchSettings settings(sweep::SearchAlgorithm algorithm, std::uint64_t points, std::int64_t seed = 1) {
  sweep::SearchSettings settings;
  settings.algorithm = algorithm;
  settings.population = 20;
  settings.points = points;
  settings.seed = seed;
  return settings;
}

constexpr std::array algorithms{sweep::SearchAlgorithm::nsga2, sweep::SearchAlgorithm::gaco,
                                sweep::SearchAlgorithm::random, sweep::SearchAlgorithm::sobol};
constexpr std::array learning{sweep::SearchAlgorithm::nsga2, sweep::SearchAlgorithm::gaco};

/// Smallest sum of both objectives among all points of a search.
double best_sum(const TestProblem& problem) {
  double best = 1e9;
  for (const std::uint64_t point : problem.points) {
    const Fitness fitness = TestProblem::fitness_of(problem.space().design_at(point));
    if (fitness.is_feasible()) best = std::min(best, fitness.objectives[0] + fitness.objectives[1]);
  }
  return best;
}

/// Smallest first objective among all feasible points of a search.
double best_first(const TestProblem& problem) {
  double best = 1e9;
  for (const std::uint64_t point : problem.points) {
    const Fitness fitness = TestProblem::fitness_of(problem.space().design_at(point));
    if (fitness.is_feasible()) best = std::min(best, fitness.objectives[0]);
  }
  return best;
}

}  // namespace

TEST_CASE("Designs and their numbers belong to each other") {
  const Space space({{3, true}, {1, true}, {5, false}});
  CHECK(space.size() == 15);
  for (std::uint64_t index = 0; index < space.size(); ++index) CHECK(space.index_of(space.design_at(index)) == index);
  CHECK(space.design_at(7) == Design{1, 0, 2});
}

TEST_CASE("A search evaluates its budget in generations, nothing twice and nothing forbidden") {
  for (const auto algorithm : algorithms) {
    TestProblem problem;
    run_search(settings(algorithm, 110), problem);
    CHECK(problem.points.size() == 110);
    CHECK(problem.generations == std::vector<std::size_t>{20, 20, 20, 20, 20, 10});
  }
}

TEST_CASE("A seed determines the points, and a larger budget continues a smaller one") {
  for (const auto algorithm : algorithms) {
    TestProblem small;
    TestProblem large;
    TestProblem other;
    run_search(settings(algorithm, 110), small);
    run_search(settings(algorithm, 200), large);
    run_search(settings(algorithm, 110, 2), other);
    REQUIRE(large.points.size() == 200);
    CHECK(std::equal(small.points.begin(), small.points.end(), large.points.begin()));
    CHECK(small.points != other.points);
  }
}

TEST_CASE("A search of a small space ends when it has seen all that is allowed") {
  for (const auto algorithm : algorithms) {
    TestProblem problem(2);
    run_search(settings(algorithm, 1000), problem);
    CHECK(problem.points.size() == 8 * 7);
  }
}

TEST_CASE("Algorithms that learn find better designs than random points of the same budget") {
  TestProblem random;
  run_search(settings(sweep::SearchAlgorithm::random, 600), random);
  for (const auto algorithm : learning) {
    TestProblem problem;
    run_search(settings(algorithm, 600), problem);
    CHECK(best_sum(problem) < best_sum(random));
    // The best of all 200,000 allowed designs has 7 or 8 in every dimension.
    CHECK(best_sum(problem) < 1.05 * 4 * (49 + 64));
  }
}

TEST_CASE("Algorithms that learn find the best design for one objective, behind a constraint and among categories") {
  for (const auto algorithm : learning) {
    for (const std::int64_t seed : {1, 2, 3}) {
      // 200,000 designs; the best one of those allowed and feasible is {14, 15, 15, 15, 3}.
      TestProblem problem(16, 1);
      run_search(settings(algorithm, 2000, seed), problem);
      CHECK(best_first(problem) == 1);
    }
  }
}
