#include "systems/hypar/search/elimination_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::hypar::search {

namespace {

constexpr double max_sums = 268435456;  // 2^28 sums: some seconds, and 64 MiB for a table of 2^23

/// Sorted neighbors of each node.
std::vector<std::vector<std::size_t>> neighbors_of_nodes(const AssignmentProblem& problem) {
  std::vector<std::vector<std::size_t>> neighbors(problem.nodes);
  for (const AssignmentProblem::Edge& edge : problem.edges) {
    neighbors[edge.from].push_back(edge.to);
    neighbors[edge.to].push_back(edge.from);
  }
  for (std::vector<std::size_t>& around : neighbors) {
    std::ranges::sort(around);
    around.erase(std::unique(around.begin(), around.end()), around.end());
  }
  return neighbors;
}

}  // namespace

EliminationOrder::EliminationOrder(const AssignmentProblem& problem) {
  std::vector<std::vector<std::size_t>> neighbors = neighbors_of_nodes(problem);
  // An entry is stale once its node has gone or has another number of neighbors.
  using Candidate = std::pair<std::size_t, std::size_t>;
  std::vector<Candidate> memory;
  memory.reserve(4 * problem.nodes);
  for (std::size_t node = 0; node < problem.nodes; ++node) memory.emplace_back(neighbors[node].size(), node);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates(std::greater<>(),
                                                                                    std::move(memory));
  std::vector<bool> gone(problem.nodes, false);
  std::vector<std::size_t> joined;
  nodes_.reserve(problem.nodes);
  first_.reserve(problem.nodes + 1);
  first_.push_back(0);
  while (!candidates.empty()) {
    const std::size_t count = candidates.top().first;
    const std::size_t node = candidates.top().second;
    candidates.pop();
    if (gone[node] || count != neighbors[node].size()) continue;
    gone[node] = true;
    const std::vector<std::size_t>& around = neighbors[node];
    for (const std::size_t other : around) {
      joined.clear();
      std::ranges::set_union(neighbors[other], around, std::back_inserter(joined));
      std::erase_if(joined, [&](std::size_t one) { return one == other || one == node; });
      neighbors[other].assign(joined.begin(), joined.end());
      candidates.emplace(joined.size(), other);
    }
    nodes_.push_back(node);
    neighbors_.insert(neighbors_.end(), around.begin(), around.end());
    first_.push_back(neighbors_.size());
  }
}

void EliminationOrder::require_few_sums(std::size_t states) const {
  for (std::size_t step = 0; step < steps(); ++step) {
    const double sums = std::pow(static_cast<double>(states), static_cast<double>(neighbors(step).size() + 1));
    if (sums <= max_sums) continue;
    throw PointError(fmt::format(
        "the network's branches are too densely connected for the optimum over {} states: {:.3g} sums in one "
        "step (at most {:.3g}); take fewer levels, or policy hypar",
        states, sums, max_sums));
  }
}

void require_solvable(const AssignmentProblem& problem) {
  if (!problem.is_chain()) EliminationOrder(problem).require_few_sums(problem.states);
}

}  // namespace pimsweep::systems::hypar::search
