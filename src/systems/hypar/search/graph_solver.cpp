#include "systems/hypar/search/graph_solver.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/downward.h"
#include "systems/hypar/search/elimination_order.h"

namespace pimsweep::systems::hypar::search {

namespace {

void add_costs(const double* cost, double scale, std::size_t stride, std::span<double> sums) {
  if (stride == 1) {
    for (std::size_t state = 0; state < sums.size(); ++state) sums[state] += scale * cost[state];
  } else {
    for (std::size_t state = 0; state < sums.size(); ++state) sums[state] += scale * cost[state * stride];
  }
}

}  // namespace

/// Lays out the steps of an elimination order: the costs that each of them adds up, and the place of its table.
class GraphSolver::Planner {
 public:
  Planner(GraphSolver& solver, const EliminationOrder& order)
      : solver_(solver), order_(order), mentions_(solver.nodes_) {}

  void run() {
    for (std::size_t edge = 0; edge < solver_.ends_.size() / 2; ++edge) {
      add({View::Kind::edge, edge, std::span(solver_.ends_).subspan(2 * edge, 2)});
    }
    for (std::size_t step = 0; step < order_.steps(); ++step) add_step(order_.node(step), order_.neighbors(step));
    solver_.tables_.resize(tables_size_);
    solver_.best_.resize(best_size_);
  }

 private:
  /// Costs over some nodes; the first node's state is the slowest index.
  struct Factor {
    View::Kind kind;
    std::size_t source;
    std::span<const std::size_t> nodes;
    bool used = false;
  };

  void add(const Factor& factor) {
    for (const std::size_t node : factor.nodes) mentions_[node].push_back(factors_.size());
    factors_.push_back(factor);
  }

  void add_step(std::size_t node, std::span<const std::size_t> neighbors) {
    Step step{node, solver_.neighbors_.size(), neighbors.size(), solver_.views_.size(), 0, 1, 0, best_size_};
    solver_.neighbors_.insert(solver_.neighbors_.end(), neighbors.begin(), neighbors.end());
    for (std::size_t i = 0; i < neighbors.size(); ++i) step.combinations *= solver_.states_;
    best_size_ += step.combinations;
    step.table = take_place(step);
    for (const std::size_t mentioned : mentions_[node]) {
      Factor& factor = factors_[mentioned];
      if (factor.used) continue;
      factor.used = true;
      add_view(factor, node, neighbors);
    }
    step.views = solver_.views_.size() - step.first_view;
    solver_.steps_.push_back(step);
    free_places(step);
    if (!neighbors.empty()) add({View::Kind::table, step.table, neighbors});
  }

  void add_view(const Factor& factor, std::size_t node, std::span<const std::size_t> neighbors) {
    View view{factor.kind, factor.source, 0, solver_.strides_.size()};
    solver_.strides_.resize(solver_.strides_.size() + neighbors.size(), 0);
    std::size_t stride = 1;
    for (const std::size_t i : downward(factor.nodes.size())) {
      if (factor.nodes[i] == node) {
        view.own_stride = stride;
      } else {
        const auto found = std::ranges::lower_bound(neighbors, factor.nodes[i]) - neighbors.begin();
        solver_.strides_[view.first_stride + static_cast<std::size_t>(found)] = stride;
      }
      stride *= solver_.states_;
    }
    solver_.views_.push_back(view);
    if (factor.kind == View::Kind::table) read_.push_back({factor.source, factor.nodes.size()});
  }

  /// Tables that have been read make room for others over as many nodes.
  std::size_t take_place(const Step& step) {
    if (free_.size() <= step.neighbors) free_.resize(step.neighbors + 1);
    std::vector<std::size_t>& places = free_[step.neighbors];
    if (places.empty()) {
      tables_size_ += step.combinations;
      return tables_size_ - step.combinations;
    }
    const std::size_t place = places.back();
    places.pop_back();
    return place;
  }

  void free_places(const Step& step) {
    for (const Place& place : read_) free_[place.nodes].push_back(place.begin);
    read_.clear();
    if (step.neighbors == 0) free_[0].push_back(step.table);
  }

  struct Place {
    std::size_t begin = 0;
    std::size_t nodes = 0;
  };

  GraphSolver& solver_;
  const EliminationOrder& order_;
  std::vector<Factor> factors_;
  /// The factors that mention each node, in the order in which they are added up.
  std::vector<std::vector<std::size_t>> mentions_;
  std::vector<Place> read_;
  /// Places of tables over so many nodes that are no longer needed.
  std::vector<std::vector<std::size_t>> free_;
  std::size_t tables_size_ = 0;
  std::size_t best_size_ = 0;
};

bool GraphSolver::has_structure_of(const AssignmentProblem& problem) const {
  if (problem.nodes != nodes_ || problem.states != states_ || 2 * problem.edges.size() != ends_.size()) return false;
  for (std::size_t i = 0; i < problem.edges.size(); ++i) {
    if (problem.edges[i].from != ends_[2 * i] || problem.edges[i].to != ends_[2 * i + 1]) return false;
  }
  return true;
}

void GraphSolver::plan(const AssignmentProblem& problem) {
  const EliminationOrder order(problem);
  order.require_few_sums(problem.states);
  *this = {};
  for (const AssignmentProblem::Edge& edge : problem.edges) ends_.insert(ends_.end(), {edge.from, edge.to});
  nodes_ = problem.nodes;
  states_ = problem.states;
  sums_.resize(states_);
  Planner(*this, order).run();
}

double GraphSolver::solve(const AssignmentProblem& problem, Assignment& assignment) {
  if (!has_structure_of(problem)) plan(problem);
  double constant = 0;
  for (const Step& step : steps_) {
    eliminate(problem, step);
    if (step.neighbors == 0) constant += tables_[step.table];
  }
  assignment.assign(nodes_, 0);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    std::size_t index = 0;
    for (std::size_t i = 0; i < step->neighbors; ++i) {
      index = index * states_ + assignment[neighbors_[step->first_neighbor + i]];
    }
    assignment[step->node] = best_[step->best + index];
  }
  return constant;
}

void GraphSolver::eliminate(const AssignmentProblem& problem, const Step& step) {
  cursors_.clear();
  cursors_.push_back({&problem.node_cost[step.node * states_], 1, 1, nullptr});
  for (const View& view : std::span(views_).subspan(step.first_view, step.views)) {
    const std::size_t* stride = strides_.data() + view.first_stride;
    if (view.kind == View::Kind::table) {
      cursors_.push_back({&tables_[view.source], 1, view.own_stride, stride});
    } else {
      const AssignmentProblem::Edge& edge = problem.edges[view.source];
      cursors_.push_back({edge.table, edge.scale, view.own_stride, stride});
    }
  }
  state_of_.assign(step.neighbors, 0);
  for (std::size_t index = 0; index < step.combinations; ++index) {
    if (index > 0) advance(step.neighbors);
    const Best best = states_ == 2 ? best_of_two() : best_of_all();
    tables_[step.table + index] = best.cost;
    best_[step.best + index] = best.state;
  }
}

GraphSolver::Best GraphSolver::best_of_two() const {
  double first = 0;
  double second = 0;
  for (const Cursor& cursor : cursors_) {
    first += cursor.scale * cursor.cost[0];
    second += cursor.scale * cursor.cost[cursor.own_stride];
  }
  return second < first ? Best{second, 1} : Best{first, 0};
}

GraphSolver::Best GraphSolver::best_of_all() {
  std::ranges::fill(sums_, 0.0);
  for (const Cursor& cursor : cursors_) add_costs(cursor.cost, cursor.scale, cursor.own_stride, sums_);
  const auto best = std::ranges::min_element(sums_);
  return {*best, static_cast<State>(best - sums_.begin())};
}

/// Moves the cursors to the next combination of states, the last neighbor's fastest.
void GraphSolver::advance(std::size_t neighbors) {
  for (const std::size_t i : downward(neighbors)) {
    const bool wraps = ++state_of_[i] == states_;
    for (Cursor& cursor : std::span(cursors_).subspan(1)) {
      cursor.cost = wraps ? cursor.cost - cursor.stride[i] * (states_ - 1) : cursor.cost + cursor.stride[i];
    }
    if (!wraps) return;
    state_of_[i] = 0;
  }
}

}  // namespace pimsweep::systems::hypar::search
