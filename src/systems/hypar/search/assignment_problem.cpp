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
    return lowest_;
  }

 private:
  void descend(std::size_t node, double cost) {
    if (node == problem_.nodes) {
      if (cost < lowest_) {
        lowest_ = cost;
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
  double lowest_ = infinite;
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
