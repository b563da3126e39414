#include "systems/hypar/search/assignment_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/downward.h"
#include "base/error.h"

namespace pimsweep::systems::hypar::search {

namespace {

constexpr double max_assignments = 67108864;  // 2^26: about a second
constexpr double infinite = std::numeric_limits<double>::infinity();

class Enumerator {
 public:
  explicit Enumerator(const AssignmentProblem& problem) : problem_(problem), current_(problem.nodes, 0) {
    first_edge_.assign(problem.nodes + 1, problem.edges.size());
    for (const std::size_t e : downward(problem.edges.size())) first_edge_[problem.edges[e].to] = e;
    for (const std::size_t node : downward(problem.nodes)) {
      first_edge_[node] = std::min(first_edge_[node], first_edge_[node + 1]);
    }
  }

  double run(Assignment& best) {
    descend(0, 0);
    best = best_;
    return least_;
  }

 private:
  void descend(std::size_t node, double cost) {
    if (node == problem_.nodes) {
      if (cost < least_) {
        least_ = cost;
        best_ = current_;
      }
      return;
    }
    for (State state = 0; state < problem_.states; ++state) {
      const double own = problem_.cost(node, state);
      if (own == infinite) continue;
      current_[node] = state;
      double sum = cost + own;
      for (std::size_t e = first_edge_[node]; e < first_edge_[node + 1]; ++e) {
        const AssignmentProblem::Edge& edge = problem_.edges[e];
        sum += edge.scale * edge.table[current_[edge.from] * problem_.states + state];
      }
      descend(node + 1, sum);
    }
  }

  const AssignmentProblem& problem_;
  /// Edges into node n are first_edge_[n] to first_edge_[n + 1].
  std::vector<std::size_t> first_edge_;
  Assignment current_;
  Assignment best_;
  double least_ = infinite;
};

}  // namespace

double AssignmentProblem::total(const Assignment& assignment) const {
  double sum = 0;
  for (std::size_t node = 0; node < nodes; ++node) sum += cost(node, assignment[node]);
  for (const Edge& edge : edges) {
    sum += edge.scale * edge.table[assignment[edge.from] * states + assignment[edge.to]];
  }
  return sum;
}

double AssignmentProblem::assignments() const {
  double product = 1;
  for (std::size_t node = 0; node < nodes; ++node) {
    double allowed = 0;
    for (State state = 0; state < states; ++state) allowed += cost(node, state) < infinite ? 1 : 0;
    product *= allowed;
  }
  return product;
}

bool AssignmentProblem::is_chain() const {
  if (edges.size() + 1 != nodes) return nodes == 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].from != i || edges[i].to != i + 1) return false;
  }
  return true;
}

double AssignmentSolver::solve(const AssignmentProblem& problem, Assignment& assignment) {
  return problem.is_chain() ? solve_chain(problem, assignment) : solve_graph(problem, assignment);
}

double AssignmentSolver::solve_chain(const AssignmentProblem& problem, Assignment& assignment) {
  const std::size_t states = problem.states;
  assignment.resize(problem.nodes);
  if (problem.nodes == 0) return 0;
  choice_.resize(problem.nodes * states);
  next_.resize(states);
  cost_.assign(problem.node_cost.begin(), problem.node_cost.begin() + static_cast<std::ptrdiff_t>(states));
  for (const AssignmentProblem::Edge& edge : problem.edges) {
    State* choice = &choice_[edge.to * states];
    std::fill(next_.begin(), next_.end(), infinite);
    std::fill(choice, choice + states, State{0});
    for (State from = 0; from < states; ++from) {
      const double before = cost_[from];
      const double* row = edge.table + from * states;
      for (std::size_t to = 0; to < states; ++to) {
        const double sum = before + edge.scale * row[to];
        const bool better = sum < next_[to];
        next_[to] = better ? sum : next_[to];
        choice[to] = better ? from : choice[to];
      }
    }
    for (std::size_t to = 0; to < states; ++to) cost_[to] = next_[to] + problem.node_cost[edge.to * states + to];
  }
  auto state = static_cast<State>(std::min_element(cost_.begin(), cost_.end()) - cost_.begin());
  const double least = cost_[state];
  for (const std::size_t node : downward(problem.nodes)) {
    assignment[node] = state;
    if (node > 0) state = choice_[node * states + state];
  }
  return least;
}

void require_enumerable(const AssignmentProblem& problem) {
  const double assignments = problem.assignments();
  if (assignments > max_assignments) {
    throw PointError(
        fmt::format("{:.3g} assignments are too many to try one after another (at most {:.0f}): free fewer layers or "
                    "levels, or use "
                    "policy hypar-optimal, which finds the same optimum",
                    assignments, max_assignments));
  }
}

double enumerate(const AssignmentProblem& problem, Assignment& assignment) {
  require_enumerable(problem);
  return Enumerator(problem).run(assignment);
}

}  // namespace pimsweep::systems::hypar::search
