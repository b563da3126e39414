#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/downward.h"
#include "base/error.h"
#include "systems/hypar/search/assignment_problem.h"

namespace pimsweep::systems::hypar::search {

namespace {

constexpr double max_sums = 268435456;  // 2^28 sums: some seconds, and 64 MiB for a table of 2^23

/// A cost that depends on the states of some nodes; the first node's state is the slowest index.
struct Factor {
  std::vector<std::size_t> nodes;
  std::vector<double> cost;
};

/// A node with those that share a factor with it when it is eliminated, and how its best state follows from theirs.
struct Eliminated {
  std::size_t node = 0;
  std::vector<std::size_t> neighbors;
  std::vector<State> best;
};

/// The node with the fewest neighbors goes first. Its neighbors are neighbors of each other from then on.
std::vector<Eliminated> elimination_order(const AssignmentProblem& problem) {
  std::vector<std::set<std::size_t>> neighbors(problem.nodes);
  for (const AssignmentProblem::Edge& edge : problem.edges) {
    neighbors[edge.from].insert(edge.to);
    neighbors[edge.to].insert(edge.from);
  }
  std::set<std::pair<std::size_t, std::size_t>> by_neighbors;
  for (std::size_t node = 0; node < problem.nodes; ++node) by_neighbors.emplace(neighbors[node].size(), node);
  std::vector<Eliminated> order;
  order.reserve(problem.nodes);
  while (!by_neighbors.empty()) {
    const std::size_t node = by_neighbors.begin()->second;
    by_neighbors.erase(by_neighbors.begin());
    const std::set<std::size_t> around = std::move(neighbors[node]);
    for (const std::size_t other : around) {
      by_neighbors.erase({neighbors[other].size(), other});
      neighbors[other].insert(around.begin(), around.end());
      neighbors[other].erase(other);
      neighbors[other].erase(node);
      by_neighbors.emplace(neighbors[other].size(), other);
    }
    order.push_back({node, {around.begin(), around.end()}, {}});
  }
  return order;
}

void require_few_sums(const std::vector<Eliminated>& order, std::size_t states) {
  for (const Eliminated& step : order) {
    const double sums = std::pow(static_cast<double>(states), static_cast<double>(step.neighbors.size() + 1));
    if (sums <= max_sums) continue;
    throw PointError(
        fmt::format("the network's branches are too entangled for the optimum over {} states: {:.3g} sums in one "
                    "step (at most {:.3g}); take fewer levels, or policy hypar",
                    states, sums, max_sums));
  }
}

/// Min-sum elimination (non-serial dynamic programming): a node is minimized out of the factors that mention it, which
/// leaves one factor over its neighbors.
class Elimination {
 public:
  Elimination(const AssignmentProblem& problem, std::vector<Eliminated> order)
      : states_(problem.states), mentions_(problem.nodes), order_(std::move(order)) {
    for (std::size_t node = 0; node < problem.nodes; ++node) {
      const auto first = problem.node_cost.begin() + static_cast<std::ptrdiff_t>(node * states_);
      add({{node}, {first, first + static_cast<std::ptrdiff_t>(states_)}});
    }
    for (const AssignmentProblem::Edge& edge : problem.edges) {
      Factor factor{{edge.from, edge.to}, {edge.table, edge.table + states_ * states_}};
      for (double& cost : factor.cost) cost *= edge.scale;
      add(std::move(factor));
    }
  }

  double run(Assignment& assignment) {
    for (Eliminated& step : order_) eliminate(step);
    assignment.assign(mentions_.size(), 0);
    for (auto step = order_.rbegin(); step != order_.rend(); ++step) {
      std::size_t index = 0;
      for (const std::size_t node : step->neighbors) index = index * states_ + assignment[node];
      assignment[step->node] = step->best[index];
    }
    return constant_;
  }

 private:
  /// A factor seen from the result over the eliminated node's neighbors: how far its index moves with their states.
  struct View {
    const double* cost = nullptr;
    std::vector<std::size_t> stride;
    std::size_t own_stride = 0;
  };

  void add(Factor factor) {
    if (factor.nodes.empty()) {
      constant_ += factor.cost[0];
      return;
    }
    for (const std::size_t node : factor.nodes) mentions_[node].push_back(factors_.size());
    factors_.push_back(std::move(factor));
  }

  std::size_t result_size(std::size_t neighbors) const {
    return static_cast<std::size_t>(std::pow(static_cast<double>(states_), static_cast<double>(neighbors)));
  }

  View view(const Factor& factor, std::size_t node, const std::vector<std::size_t>& neighbors) const {
    View result{factor.cost.data(), std::vector<std::size_t>(neighbors.size(), 0), 0};
    std::size_t stride = 1;
    for (const std::size_t i : downward(factor.nodes.size())) {
      const auto found = std::find(neighbors.begin(), neighbors.end(), factor.nodes[i]);
      (factor.nodes[i] == node ? result.own_stride
                               : result.stride[static_cast<std::size_t>(found - neighbors.begin())]) = stride;
      stride *= states_;
    }
    return result;
  }

  void eliminate(Eliminated& step) {
    const std::size_t node = step.node;
    Factor result{step.neighbors, std::vector<double>(result_size(step.neighbors.size()))};
    std::vector<View> views;
    for (const std::size_t factor : mentions_[node]) views.push_back(view(factors_[factor], node, step.neighbors));
    step.best.resize(result.cost.size());
    std::vector<std::size_t> state_of(step.neighbors.size(), 0);
    std::vector<double> sums(states_);
    for (std::size_t index = 0; index < result.cost.size(); ++index) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (const View& factor : views) {
        const double* cost = factor.cost;
        for (std::size_t i = 0; i < state_of.size(); ++i) cost += factor.stride[i] * state_of[i];
        for (std::size_t state = 0; state < states_; ++state) sums[state] += cost[state * factor.own_stride];
      }
      const auto best = std::min_element(sums.begin(), sums.end());
      result.cost[index] = *best;
      step.best[index] = static_cast<State>(best - sums.begin());
      advance(state_of);
    }
    retire(node, step.neighbors);
    add(std::move(result));
  }

  /// The next combination of states, the last one fastest.
  void advance(std::vector<std::size_t>& state_of) const {
    for (const std::size_t i : downward(state_of.size())) {
      if (++state_of[i] < states_) return;
      state_of[i] = 0;
    }
  }

  /// Takes the node and the factors that mention it out.
  void retire(std::size_t node, const std::vector<std::size_t>& neighbors) {
    const std::vector<std::size_t> gone = std::move(mentions_[node]);
    for (const std::size_t other : neighbors) {
      std::erase_if(mentions_[other],
                    [&](std::size_t factor) { return std::find(gone.begin(), gone.end(), factor) != gone.end(); });
    }
    for (const std::size_t factor : gone) factors_[factor] = {};
  }

  std::size_t states_;
  std::vector<Factor> factors_;
  /// The factors that mention each node.
  std::vector<std::vector<std::size_t>> mentions_;
  std::vector<Eliminated> order_;
  double constant_ = 0;
};

}  // namespace

double solve_graph(const AssignmentProblem& problem, Assignment& assignment) {
  std::vector<Eliminated> order = elimination_order(problem);
  require_few_sums(order, problem.states);
  return Elimination(problem, std::move(order)).run(assignment);
}

void require_solvable(const AssignmentProblem& problem) {
  if (!problem.is_chain()) require_few_sums(elimination_order(problem), problem.states);
}

}  // namespace pimsweep::systems::hypar::search
