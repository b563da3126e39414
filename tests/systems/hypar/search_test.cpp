#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "base/error.h"
#include "systems/hypar/search/assignment_solver.h"

namespace pimsweep::systems::hypar {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A problem with the table it points to.
struct RandomProblem {
  std::vector<std::vector<double>> tables;
  search::AssignmentProblem problem;
};

/// Whole numbers, so that sums in any order are equal. `density` is the share of pairs of nodes with an edge, beside
/// the chain's; below zero: the chain alone.
RandomProblem random_problem(std::mt19937_64& random, std::size_t nodes, std::size_t states, double density) {
  const auto number = [&](int most) { return static_cast<double>(random() % static_cast<unsigned>(most)); };
  RandomProblem result;
  result.problem.nodes = nodes;
  result.problem.states = states;
  for (std::size_t i = 0; i < nodes * states; ++i) result.problem.node_cost.push_back(number(40));
  result.tables.resize(nodes * nodes);
  for (std::size_t to = 1; to < nodes; ++to) {
    for (std::size_t from = 0; from < to; ++from) {
      if (from + 1 != to && number(1000) >= 1000 * density) continue;
      std::vector<double>& table = result.tables[from * nodes + to];
      for (std::size_t i = 0; i < states * states; ++i) table.push_back(number(20));
      result.problem.edges.push_back({from, to, 1 + number(3), table.data()});
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a shortest path along a chain and elimination find what trying everything finds") {
  std::mt19937_64 random(7);
  search::AssignmentSolver solver;
  for (int round = 0; round < 300; ++round) {
    const std::size_t states = std::size_t{1} << (1 + random() % 3);
    const std::size_t nodes = 1 + random() % (states == 8 ? 4 : 6);
    const RandomProblem chain = random_problem(random, nodes, states, -1);
    const RandomProblem graph = random_problem(random, nodes, states, 0.5);
    search::Assignment tried;
    search::Assignment found;
    REQUIRE(chain.problem.is_chain());
    const double least = search::enumerate(chain.problem, tried);
    REQUIRE(solver.solve(chain.problem, found) == least);
    REQUIRE(chain.problem.total(found) == least);
    REQUIRE(search::GraphSolver().solve(chain.problem, found) == least);
    REQUIRE(chain.problem.total(found) == least);
    const double least_of_graph = search::enumerate(graph.problem, tried);
    REQUIRE(graph.problem.total(tried) == least_of_graph);
    REQUIRE(solver.solve(graph.problem, found) == least_of_graph);
    REQUIRE(graph.problem.total(found) == least_of_graph);
  }
}

TEST_CASE("a solver gives the same bits whatever it has solved before") {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> real(0, 1);
  search::AssignmentSolver used;
  RandomProblem given;
  for (int round = 0; round < 200; ++round) {
    if (round % 3 == 0) given = random_problem(random, 1 + random() % 12, std::size_t{1} << random() % 4, 0.1);
    for (double& cost : given.problem.node_cost) cost = real(random);
    for (search::AssignmentProblem::Edge& edge : given.problem.edges) edge.scale = real(random);
    search::Assignment found;
    search::Assignment expected;
    REQUIRE(used.solve(given.problem, found) == search::AssignmentSolver().solve(given.problem, expected));
    REQUIRE(found == expected);
  }
}

/// The chain's shortest path by plain loops.
double plain_chain(const search::AssignmentProblem& problem, search::Assignment& assignment) {
  const std::size_t states = problem.states;
  std::vector<double> cost(problem.node_cost.begin(), problem.node_cost.begin() + static_cast<long>(states));
  std::vector<search::Assignment> choice(problem.nodes, search::Assignment(states, 0));
  for (const search::AssignmentProblem::Edge& edge : problem.edges) {
    std::vector<double> next(states, infinite);
    for (std::size_t to = 0; to < states; ++to) {
      for (search::State from = 0; from < states; ++from) {
        const double sum = cost[from] + edge.scale * edge.table[from * states + to];
        if (sum >= next[to]) continue;
        next[to] = sum;
        choice[edge.to][to] = from;
      }
      next[to] += problem.node_cost[edge.to * states + to];
    }
    cost = next;
  }
  const auto best = std::min_element(cost.begin(), cost.end());
  assignment.assign(problem.nodes, 0);
  assignment.back() = static_cast<search::State>(best - cost.begin());
  for (std::size_t node = problem.nodes - 1; node > 0; --node) {
    assignment[node - 1] = choice[node][assignment[node]];
  }
  return *best;
}

TEST_CASE("the processor's widest vectors give the bits of plain loops, and the first of equal states") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> real(0, 1);
  search::AssignmentSolver solver;
  for (const std::size_t states : {1U, 2U, 3U, 4U, 7U, 8U, 16U, 61U, 64U, 256U}) {
    for (int round = 0; round < 6; ++round) {
      RandomProblem given = random_problem(random, 1 + random() % 6, states, -1);
      // Whole costs in every second round, so that many paths are equally long.
      if (round % 2 == 0) {
        for (double& cost : given.problem.node_cost) cost = real(random);
        for (search::AssignmentProblem::Edge& edge : given.problem.edges) edge.scale = real(random);
      }
      for (std::size_t i = 0; i < given.problem.node_cost.size(); i += 5) {
        if (i % states != 0) given.problem.node_cost[i] = infinite;
      }
      search::Assignment found;
      search::Assignment expected;
      REQUIRE(solver.solve(given.problem, found) == plain_chain(given.problem, expected));
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("forbidden states are not taken") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 100; ++round) {
    RandomProblem given = random_problem(random, 5, 4, round % 2 == 0 ? -1 : 0.4);
    double allowed = 1;
    for (std::size_t node = 0; node < 5; ++node) {
      const std::size_t kept = random() % 4;
      int free = 0;
      for (std::size_t state = 0; state < 4; ++state) {
        if (state != kept && random() % 2 == 0) given.problem.node_cost[node * 4 + state] = infinite;
        free += given.problem.node_cost[node * 4 + state] < infinite ? 1 : 0;
      }
      allowed *= free;
    }
    REQUIRE(given.problem.assignments() == allowed);
    search::Assignment tried;
    search::Assignment found;
    const double least = search::enumerate(given.problem, tried);
    REQUIRE(least < infinite);
    REQUIRE(search::AssignmentSolver().solve(given.problem, found) == least);
    REQUIRE(given.problem.total(found) == least);
  }
}

TEST_CASE("equal costs: the chain takes more data parallelism") {
  const std::vector<double> table(16, 1.0);
  search::AssignmentProblem problem;
  problem.nodes = 3;
  problem.states = 4;
  problem.node_cost.assign(12, 2.0);
  problem.edges = {{0, 1, 1, table.data()}, {1, 2, 1, table.data()}};
  search::Assignment found;
  CHECK(search::AssignmentSolver().solve(problem, found) == 8);
  CHECK(found == search::Assignment{0, 0, 0});
}

TEST_CASE("what would take too long or too much memory is refused") {
  std::mt19937_64 random(9);
  search::Assignment found;
  const RandomProblem long_chain = random_problem(random, 30, 2, -1);
  CHECK_THROWS_AS(search::enumerate(long_chain.problem, found), PointError);
  CHECK(search::AssignmentSolver().solve(long_chain.problem, found) > 0);
  const RandomProblem clique = random_problem(random, 9, 16, 1);
  CHECK_THROWS_AS(search::AssignmentSolver().solve(clique.problem, found), PointError);
  CHECK(search::AssignmentSolver().solve(search::AssignmentProblem{}, found) == 0);
}

}  // namespace pimsweep::systems::hypar
