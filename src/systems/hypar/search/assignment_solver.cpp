#include "systems/hypar/search/assignment_solver.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/downward.h"
#include "base/vector_clones.h"

namespace pimsweep::systems::hypar::search {

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// next[to] = the minimum over `from` of before[from] + scale x table[from][to]. Four rows at a time, so that `next` is
/// read and written only once for them.
PIMSWEEP_VECTOR_CLONES
void relax(const double* __restrict before, const double* __restrict table, double scale, std::size_t states,
           double* __restrict next) {
  std::fill(next, next + states, unreached);
  std::size_t from = 0;
  for (; from + 4 <= states; from += 4) {
    const double* row = table + from * states;
    for (std::size_t to = 0; to < states; ++to) {
      double lowest = next[to];
      for (std::size_t i = 0; i < 4; ++i) {
        const double sum = before[from + i] + scale * row[i * states + to];
        lowest = sum < lowest ? sum : lowest;
      }
      next[to] = lowest;
    }
  }
  for (; from < states; ++from) {
    const double* row = table + from * states;
    for (std::size_t to = 0; to < states; ++to) {
      const double sum = before[from] + scale * row[to];
      next[to] = sum < next[to] ? sum : next[to];
    }
  }
}

/// The same for two states, as in each level of HyPar's partition, with the state that gives the minimum.
void relax_pair(const double* before, const double* table, double scale, double* next, State* best) {
  for (std::size_t to = 0; to < 2; ++to) {
    const double first = before[0] + scale * table[to];
    const double second = before[1] + scale * table[2 + to];
    best[to] = second < first ? 1 : 0;
    next[to] = second < first ? second : first;
  }
}

/// The first state of the previous node that gives the minimum cost of `to`.
State best_before(const double* before, const AssignmentProblem::Edge& edge, std::size_t states, State to) {
  State best = 0;
  double lowest = unreached;
  for (State from = 0; from < states; ++from) {
    const double sum = before[from] + edge.scale * edge.table[from * states + to];
    if (sum < lowest) {
      lowest = sum;
      best = from;
    }
  }
  return best;
}

}  // namespace

double ChainSolver::solve(const AssignmentProblem& problem, Assignment& assignment) {
  const std::size_t states = problem.states;
  assignment.resize(problem.nodes);
  if (problem.nodes == 0) return 0;
  cost_.resize(problem.nodes * states);
  if (states == 2) best_of_pair_.resize(2 * problem.nodes);
  std::copy_n(problem.node_cost.begin(), states, cost_.begin());
  for (const AssignmentProblem::Edge& edge : problem.edges) {
    double* cost = &cost_[edge.to * states];
    const double* before = cost - states;
    if (states == 2) {
      relax_pair(before, edge.table, edge.scale, cost, &best_of_pair_[2 * edge.to]);
    } else {
      relax(before, edge.table, edge.scale, states, cost);
    }
    const double* own = &problem.node_cost[edge.to * states];
    for (std::size_t to = 0; to < states; ++to) cost[to] += own[to];
  }
  const double* last = &cost_[(problem.nodes - 1) * states];
  auto state = static_cast<State>(std::min_element(last, last + states) - last);
  const double lowest = last[state];
  assignment.back() = state;
  for (const std::size_t node : downward(problem.nodes - 1)) {
    state = states == 2 ? best_of_pair_[2 * (node + 1) + state]
                        : best_before(&cost_[node * states], problem.edges[node], states, state);
    assignment[node] = state;
  }
  return lowest;
}

}  // namespace pimsweep::systems::hypar::search
