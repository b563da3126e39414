#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "systems/allspark/placement/assignment.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/allspark/placement/random_problems.h"

using namespace pimsweep::systems::allspark::placement;
using namespace pimsweep::systems::allspark;
using namespace pimsweep;

namespace {

std::vector<std::int64_t> taken(const PlacementProblem& problem, const Binding& binding) {
  std::vector<std::int64_t> counts(problem.layers(), 0);
  for (const std::size_t slot : binding) ++counts[problem.slots[slot].layer];
  return counts;
}

double mean_of_random(const PlacementProblem& problem, std::uint64_t samples) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < samples; ++seed) {
    sum += static_cast<double>(word_hops(problem, bind_randomly(problem, seed)));
  }
  return sum / static_cast<double>(samples);
}

/// The fewest word-hops of all bindings.
std::int64_t optimum(const PlacementProblem& problem, Binding& binding, std::vector<std::int64_t>& left) {
  if (binding.size() == problem.branches()) return word_hops(problem, binding);
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t slot = 0; slot < problem.slots.size(); ++slot) {
    std::int64_t& room = left[problem.slots[slot].layer];
    if (room == 0 || std::find(binding.begin(), binding.end(), slot) != binding.end()) continue;
    --room;
    binding.push_back(slot);
    best = std::min(best, optimum(problem, binding, left));
    binding.pop_back();
    ++room;
  }
  return best;
}

}  // namespace

TEST_CASE("every method places each branch once and fills each layer as the schedule says") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    const auto [stage, blocks] = random_windows(random, pick(random, 1, 6));
    const std::int64_t rows = pick(random, 2, 8);
    const std::int64_t cols = pick(random, 2, 8);
    const PlacementProblem problem = make_problem(workload::branch_transfers(stage, blocks),
                                                  random_layers(random, blocks.branches, rows, cols), rows, cols);
    for (const PlacementMethod& method : placement_methods()) {
      INFO(method.name << ", round " << round);
      const Binding binding = method.bind(problem, 7);
      REQUIRE(binding.size() == problem.branches());
      REQUIRE(std::set<std::size_t>(binding.begin(), binding.end()).size() == binding.size());
      REQUIRE(taken(problem, binding) == problem.layer_branches);
      REQUIRE(method.bind(problem, 7) == binding);
    }
  }
}

TEST_CASE("the aware methods are never worse than the mean of random placements") {
  std::mt19937_64 random(12);
  for (int round = 0; round < 40; ++round) {
    const auto [stage, blocks] = random_windows(random, pick(random, 2, 6));
    const std::int64_t rows = pick(random, 2, 8);
    const std::int64_t cols = pick(random, 2, 8);
    const PlacementProblem problem = make_problem(workload::branch_transfers(stage, blocks),
                                                  random_layers(random, blocks.branches, rows, cols), rows, cols);
    const double mean = mean_of_random(problem, 50);
    INFO("round " << round << ": " << blocks.branches << " branches, " << problem.slots.size() << " slots");
    // Of two by two windows greedy binding may place the first ones so that the last one gets a bad slot.
    if (blocks.branches > 4) CHECK(static_cast<double>(word_hops(problem, bind_greedily(problem, 1))) <= mean);
    CHECK(static_cast<double>(word_hops(problem, bind_by_annealing(problem, 1))) <= mean);
  }
}

TEST_CASE(
    "no method beats the optimum of all placements, and annealing and the integer program find it on tiny arrays") {
  std::mt19937_64 random(13);
  for (int round = 0; round < 12; ++round) {
    const auto [stage, blocks] = random_windows(random, 2);
    const std::int64_t rows = pick(random, 2, 3);
    const std::int64_t cols = pick(random, 2, 3);
    const PlacementProblem problem = make_problem(workload::branch_transfers(stage, blocks),
                                                  random_layers(random, blocks.branches, rows, cols), rows, cols);
    Binding empty;
    std::vector<std::int64_t> left = problem.layer_branches;
    const std::int64_t best = optimum(problem, empty, left);
    for (const PlacementMethod& method : placement_methods()) {
      INFO(method.name << ", round " << round);
      if (method.name != "ddam") REQUIRE(word_hops(problem, method.bind(problem, 3)) >= best);
    }
    CHECK(word_hops(problem, bind_by_annealing(problem, 3)) == best);
    // CBC takes a good part of a second for each.
    if (round < 4) CHECK(word_hops(problem, bind_by_programs(problem, 3)) == best);
  }
}

TEST_CASE("an assignment is the cheapest of all permutations") {
  std::mt19937_64 random(14);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(pick(random, 1, 6));
    std::vector<std::int64_t> cost(n * n);
    for (std::int64_t& each : cost) each = pick(random, 0, round % 2 == 0 ? 4 : 1000);
    const auto total = [&](const std::vector<std::size_t>& columns) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += cost[i * n + columns[i]];
      return sum;
    };
    std::vector<std::size_t> columns(n);
    std::iota(columns.begin(), columns.end(), 0);
    std::int64_t best = total(columns);
    while (std::next_permutation(columns.begin(), columns.end())) best = std::min(best, total(columns));
    const std::vector<std::size_t> found = cheapest_assignment(n, cost);
    CHECK(std::set<std::size_t>(found.begin(), found.end()).size() == n);
    CHECK(total(found) == best);
  }
}

TEST_CASE("integer programs in turn never end above zig-zag, where they begin") {
  std::mt19937_64 random(15);
  int better = 0;
  for (int round = 0; round < 40; ++round) {
    const auto [stage, blocks] = random_windows(random, pick(random, 4, 7));
    const PlacementProblem problem =
        make_problem(workload::branch_transfers(stage, blocks), random_layers(random, blocks.branches, 8, 8), 8, 8);
    const std::int64_t start = word_hops(problem, bind_zig_zag(problem, 0));
    const std::int64_t end = word_hops(problem, bind_by_programs(problem, 0));
    CHECK(end <= start);
    better += end < start ? 1 : 0;
  }
  CHECK(better > 30);
}

TEST_CASE("greedy binding of a chain lies along the array") {
  workload::BranchGraph chain(4);
  for (std::size_t i = 0; i < 3; ++i) boost::add_edge(i, i + 1, workload::Handover{5}, chain);
  const PlacementProblem problem = make_problem(chain, {{1, 1, 4}}, 1, 4);
  CHECK(bind_greedily(problem, 0) == Binding{0, 1, 2, 3});
  CHECK(hops_of_word(problem, Binding{0, 1, 2, 3}) == 1);
  CHECK(hops_of_dependence(problem, Binding{3, 0, 1, 2}) == Approx(5.0 / 3));
}

TEST_CASE("zig-zag turns round at the end of each row") {
  const PlacementProblem problem = make_problem(workload::BranchGraph(5), {{1, 1, 5}}, 2, 3);
  CHECK(bind_zig_zag(problem, 0) == Binding{0, 1, 2, 5, 4});
}

TEST_CASE("Algorithm 1 does not find every layout: 5 x 5 nodes take four 2 x 3 sub-arrays in a pinwheel") {
  const std::vector<hardware::node_array::SubArray> pinwheel{{0, 0, 2, 3}, {0, 3, 3, 2}, {3, 2, 2, 3}, {2, 0, 3, 2}};
  std::set<std::pair<std::int64_t, std::int64_t>> nodes;
  for (const hardware::node_array::SubArray& array : pinwheel) {
    for (std::int64_t i = 0; i < 6; ++i) nodes.emplace(array.row + i / array.width, array.col + i % array.width);
  }
  CHECK(nodes.size() == 24);
  CHECK(nodes.rbegin()->first == 4);
  CHECK(hardware::node_array::layout_capacity(5, 5, 2, 3) == 3);
}

TEST_CASE("layers that cannot take the branches are refused") {
  CHECK_THROWS_AS(make_problem(workload::BranchGraph(5), {{1, 1, 5}}, 2, 2), std::invalid_argument);
  CHECK_THROWS_AS(make_problem(workload::BranchGraph(5), {{1, 1, 4}}, 2, 2), std::invalid_argument);
}
