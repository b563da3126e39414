#include "search/nsga2.h"

#include <algorithm>
#include <numeric>

namespace pimsweep::search {

namespace {

/// Share of the children that two parents have, as in the experiments of the paper.
constexpr double crossover_share = 0.9;
/// A step of a mutation to a near value is 1 with this probability, otherwise longer, with the same again.
constexpr double short_step_share = 0.5;
/// Further mutations of a child that is not new, before another child is made.
constexpr int max_further_mutations = 20;

/// Gathers elements in an order.
template <typename T>
std::vector<T> in_order(std::vector<T>& from, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(std::move(from[i]));
  return sorted;
}

}  // namespace

Nsga2::Nsga2(const Space& space, std::uint64_t population, std::uint64_t seed)
    : space_(space), population_(population), random_(SplitMix64::mix(seed)), first_(sobol_designs(space, seed)) {}

const Design& Nsga2::tournament() {
  const std::size_t a = below(random_, designs_.size());
  const std::size_t b = below(random_, designs_.size());
  if (fronts_[a] != fronts_[b]) return designs_[fronts_[a] < fronts_[b] ? a : b];
  return designs_[crowding_[a] >= crowding_[b] ? a : b];
}

void Nsga2::mutate(Design& design) {
  const std::size_t place = below(random_, design.size());
  const sweep::SearchDimension& dimension = space_.dimensions()[place];
  if (dimension.size == 1) return;
  if (!dimension.ordered) {
    const std::uint64_t other = below(random_, dimension.size - 1);
    design[place] = other < design[place] ? other : other + 1;
    return;
  }
  std::uint64_t step = 1;
  while (step + 1 < dimension.size && unit_number(random_) >= short_step_share) ++step;
  const bool can_fall = step <= design[place];
  const bool can_rise = step < dimension.size - design[place];
  const bool rises = can_rise && (!can_fall || unit_number(random_) < 0.5);
  if (rises) design[place] += step;
  if (!rises) design[place] -= std::min(step, design[place]);
}

Design Nsga2::child() {
  Design child = tournament();
  if (unit_number(random_) < crossover_share) {
    const Design& other = tournament();
    for (std::size_t i = 0; i < child.size(); ++i) {
      if (unit_number(random_) < 0.5) child[i] = other[i];
    }
  }
  // One dimension on average, as is usual.
  const double share = 1.0 / static_cast<double>(child.size());
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (unit_number(random_) < share) mutate(child);
  }
  return child;
}

std::vector<Design> Nsga2::propose(Candidates& candidates, std::uint64_t count) {
  if (designs_.empty()) return take_next(*first_, candidates, count);
  std::vector<Design> children;
  std::uint64_t vain = 0;
  while (children.size() < count && !candidates.is_exhausted() && vain < max_vain_draws) {
    Design design = child();
    bool is_new = candidates.take(design);
    for (int i = 0; i < max_further_mutations && !is_new; ++i, ++vain) {
      mutate(design);
      is_new = candidates.take(design);
    }
    if (!is_new) continue;
    children.push_back(std::move(design));
    vain = 0;
  }
  return children;
}

void Nsga2::learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) {
  designs_.insert(designs_.end(), designs.begin(), designs.end());
  fitness_.insert(fitness_.end(), results.begin(), results.end());
  survive();
}

void Nsga2::survive() {
  fronts_ = front_numbers(fitness_);
  crowding_.assign(designs_.size(), 0);
  const std::size_t count = designs_.empty() ? 0 : *std::ranges::max_element(fronts_) + 1;
  for (std::size_t front = 0; front < count; ++front) {
    std::vector<std::size_t> members;
    std::vector<const Fitness*> member_fitness;
    for (std::size_t i = 0; i < designs_.size(); ++i) {
      if (fronts_[i] != front) continue;
      members.push_back(i);
      member_fitness.push_back(&fitness_[i]);
    }
    const std::vector<double> distances = crowding_distances(member_fitness);
    for (std::size_t i = 0; i < members.size(); ++i) crowding_[members[i]] = distances[i];
  }
  std::vector<std::size_t> order(designs_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return fronts_[a] != fronts_[b] ? fronts_[a] < fronts_[b] : crowding_[a] > crowding_[b];
  });
  if (order.size() > population_) order.resize(population_);
  designs_ = in_order(designs_, order);
  fitness_ = in_order(fitness_, order);
  fronts_ = in_order(fronts_, order);
  crowding_ = in_order(crowding_, order);
}

}  // namespace pimsweep::search
