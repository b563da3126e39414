#include "search/nsga2.h"

#include <algorithm>

namespace pimsweep::search {

namespace {

/// Share of children with two parents, as in the experiments of the paper.
constexpr double crossover_share = 0.9;
/// Step sizes of mutations in ordered dimensions are geometrically distributed: 1 with this probability, and so on.
constexpr double short_step_share = 0.5;
/// Maximum number of further mutations of a known child before a new child is made.
constexpr int max_further_mutations = 20;

}  // namespace

Nsga2::Nsga2(const Space& space, std::uint64_t population, std::uint64_t seed)
    : space_(space), random_(SplitMix64::mix(seed)), first_(sobol_designs(space, seed)), parents_(population) {}

const Design& Nsga2::tournament() {
  const Archive::Entry& a = parents_[below(random_, parents_.size())];
  const Archive::Entry& b = parents_[below(random_, parents_.size())];
  if (a.front != b.front) return (a.front < b.front ? a : b).design;
  return (a.crowding >= b.crowding ? a : b).design;
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
  // One dimension on average, as is common.
  const double share = 1.0 / static_cast<double>(child.size());
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (unit_number(random_) < share) mutate(child);
  }
  return child;
}

std::vector<Design> Nsga2::propose(Candidates& candidates, std::uint64_t count) {
  if (parents_.empty()) return take_next(*first_, candidates, count);
  std::vector<Design> children;
  std::uint64_t failed_draws = 0;
  while (children.size() < count && !candidates.is_exhausted() && failed_draws < max_failed_draws) {
    Design design = child();
    bool is_new = candidates.claim(design);
    for (int i = 0; i < max_further_mutations && !is_new; ++i, ++failed_draws) {
      mutate(design);
      is_new = candidates.claim(design);
    }
    if (!is_new) continue;
    children.push_back(std::move(design));
    failed_draws = 0;
  }
  return children;
}

void Nsga2::learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) {
  parents_.add(designs, results);
}

}  // namespace pimsweep::search
