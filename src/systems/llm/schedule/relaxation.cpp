#include "systems/llm/schedule/relaxation.h"

#include <algorithm>

#include "base/downward.h"

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr int weight_steps = 4;

/// Appends all vectors of `parts` weights in steps that sum to 1.
void list_weights(std::size_t parts, int left, std::vector<double>& current, std::vector<std::vector<double>>& all) {
  if (parts == 1) {
    current.push_back(static_cast<double>(left) / weight_steps);
    all.push_back(current);
    current.pop_back();
    return;
  }
  for (int steps = 0; steps <= left; ++steps) {
    current.push_back(static_cast<double>(steps) / weight_steps);
    list_weights(parts - 1, left - steps, current, all);
    current.pop_back();
  }
}

void add_scaled(std::span<const double> weights, double seconds, std::span<double> sums) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += seconds * weights[k];
}

void lower_to(std::span<double> least, std::span<const double> sums) {
  for (std::size_t k = 0; k < sums.size(); ++k) least[k] = std::min(least[k], sums[k]);
}

}  // namespace

Relaxation::Relaxation(const StepProblem& problem) : problem_(problem), ways_from_(problem.operators) {
  for (std::size_t w = 0; w < problem.ways.size(); ++w) ways_from_[problem.ways[w].first].push_back(w);
  const std::vector<Resources> cliques = problem.conflicts.cliques();
  std::vector<std::vector<double>> all;
  std::vector<double> current;
  list_weights(cliques.size() + 1, weight_steps, current, all);
  size_ = all.size() + 1;
  for (std::size_t c = 0; c < pure_.size(); ++c) {
    const std::size_t part = std::min(c, cliques.size());
    pure_[c] = static_cast<std::size_t>(
        std::ranges::find_if(all, [part](const std::vector<double>& weights) { return weights[part] == 1; }) -
        all.begin());
  }
  for (std::size_t set = 0; set < resource_sets; ++set) {
    for (const std::vector<double>& weights : all) {
      double sum = weights.back() / 2;
      for (std::size_t c = 0; c < cliques.size(); ++c) sum += (cliques[c] & set) != 0 ? weights[c] : 0;
      weights_[set].push_back(sum);
    }
    weights_[set].push_back(1);
  }
}

void Relaxation::add(std::size_t way, Side from, std::size_t rows, std::span<double> sums) const {
  const Way& taken = problem_.ways[way];
  if (from != taken.needs) add_scaled(weights_[link_only], problem_.move_seconds(taken.first, taken.needs, rows), sums);
  for (const Phase& phase : taken.phases) add_scaled(weights_[phase.uses], phase.seconds[rows], sums);
  if (problem_.room_prices.empty()) return;
  for (std::size_t k = 0; k + 1 < sums.size(); ++k) sums[k] += problem_.room_prices[way][rows];
}

void Relaxation::fill(std::size_t rows, Side end, Rest& rest) const {
  rest.rows = rows;
  rest.end = end;
  rest.sums.assign(2 * (problem_.operators + 1) * size_, infinite);
  const auto at = [&](std::size_t op, Side side) {
    return std::span(rest.sums).subspan((2 * op + static_cast<std::size_t>(side)) * size_, size_);
  };
  std::ranges::fill(at(problem_.operators, end), 0.0);
  std::vector<double> sums(size_);
  for (const std::size_t op : downward(problem_.operators)) {
    for (const std::size_t w : ways_from_[op]) {
      const Way& way = problem_.ways[w];
      if (way.seconds(rows) == infinite) continue;
      std::ranges::copy(at(way.last, way.leaves), sums.begin());
      add(w, way.needs, rows, sums);
      lower_to(at(op, way.needs), sums);
      add_scaled(weights_[link_only], problem_.move_seconds(op, way.needs, rows), sums);
      lower_to(at(op, other(way.needs)), sums);
    }
  }
}

std::vector<double> Relaxation::min_block(std::size_t rows) const {
  std::vector<double> least(size_, infinite);
  Rest rest;
  for (const Side side : all_sides) {
    fill(rows, side, rest);
    lower_to(least, from(rest, 0, side));
  }
  return least;
}

Relaxation::Loads Relaxation::loads(std::span<const double> sums) const {
  Loads loads{};
  for (std::size_t c = 0; c < pure_.size(); ++c) loads[c] = sums[pure_[c]];
  loads.back() = sums.back();
  return loads;
}

double Relaxation::bound(const Loads& first, const Loads& second) const {
  double most = std::max(first.back(), second.back());
  for (std::size_t c = 0; c < pure_.size(); ++c) most = std::max(most, first[c] + second[c] - problem_.room_worth);
  return static_cast<double>(problem_.blocks) * most;
}

double Relaxation::bound(std::span<const double> first, std::span<const double> second) const {
  double most = std::max(first.back(), second.back());
  for (std::size_t k = 0; k + 1 < size_; ++k) most = std::max(most, first[k] + second[k] - problem_.room_worth);
  return static_cast<double>(problem_.blocks) * most;
}

}  // namespace pimsweep::systems::llm::schedule
