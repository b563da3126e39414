// Placement by integer programs, in the manner of DDAM (Wang et al., TODAES 2023). The Allspark paper does not
// print DDAM's program; here it is the quadratic assignment of words x links, as a whole if that is small, else in
// parts.
#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "systems/allspark/placement/assignment.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/allspark/scheduler/cbc_program.h"

namespace pimsweep::systems::allspark::placement {

namespace {

/// Maximum products of two decisions in a program for CBC, whose time grows steeply: 27 pairs on 16 slots, 6912
/// products, take minutes.
constexpr std::size_t max_products = 500;
/// Maximum branches, and maximum free slots, of one assignment.
constexpr std::size_t max_branches = 64;

/// A pair of branches that exchange words in either direction.
struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  std::int64_t words = 0;
};

std::vector<Pair> pairs_of(const PlacementProblem& problem) {
  std::vector<Pair> pairs;
  for (std::size_t branch = 0; branch < problem.branches(); ++branch) {
    for (const Partner& partner : problem.partners_of(branch)) {
      if (partner.branch > branch) pairs.push_back({branch, partner.branch, partner.words});
    }
  }
  return pairs;
}

/// The whole problem, linearized as by Adams and Johnson (1994): x[i,s] puts branch i into slot s; y[i,s,j,t] is the
/// product x[i,s] x[j,t], whose sums over t and over s are x[i,s] and x[j,t].
class WholeProgram {
 public:
  WholeProgram(const PlacementProblem& problem, const std::vector<Pair>& pairs)
      : problem_(problem), slots_(problem.slots.size()) {
    for (std::size_t i = 0; i < problem.branches() * slots_; ++i) program_.add_binary(0);
    assign_each_branch();
    use_each_slot_once();
    fill_layers();
    // Costs relative to the largest number of words stay within CBC's tolerances.
    std::int64_t max_words = 1;
    for (const Pair& pair : pairs) max_words = std::max(max_words, pair.words);
    for (const Pair& pair : pairs) add_pair(pair, static_cast<double>(max_words));
  }

  Binding solve() const {
    constexpr double no_limit = 1e9;
    const scheduler::CbcProgram::Result result = program_.solve(no_limit);
    Binding binding(problem_.branches());
    for (std::size_t branch = 0; branch < binding.size(); ++branch) {
      const double* first = &result.values[static_cast<std::size_t>(x(branch, 0))];
      binding[branch] = static_cast<std::size_t>(std::max_element(first, first + slots_) - first);
    }
    return binding;
  }

 private:
  int x(std::size_t branch, std::size_t slot) const { return static_cast<int>(branch * slots_ + slot); }

  /// Adds the terms collected so far as a row of the program.
  void end_row(double lower, double upper) {
    program_.add_row(lower, upper, terms_);
    terms_.clear();
  }

  void assign_each_branch() {
    for (std::size_t branch = 0; branch < problem_.branches(); ++branch) {
      for (std::size_t slot = 0; slot < slots_; ++slot) terms_.push_back({x(branch, slot), 1});
      end_row(1, 1);
    }
  }

  void use_each_slot_once() {
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      for (std::size_t branch = 0; branch < problem_.branches(); ++branch) terms_.push_back({x(branch, slot), 1});
      end_row(0, 1);
    }
  }

  void fill_layers() {
    for (std::size_t layer = 0; layer < problem_.layers(); ++layer) {
      for (std::size_t slot = problem_.layer_begin[layer]; slot < problem_.layer_begin[layer + 1]; ++slot) {
        for (std::size_t branch = 0; branch < problem_.branches(); ++branch) terms_.push_back({x(branch, slot), 1});
      }
      const auto branches = static_cast<double>(problem_.layer_branches[layer]);
      end_row(branches, branches);
    }
  }

  /// Adds the products of a pair of partners, their cost, and the constraints that link them to x.
  void add_pair(const Pair& pair, double max_words) {
    std::vector<int> y(slots_ * slots_);
    for (std::size_t s = 0; s < slots_; ++s) {
      for (std::size_t t = 0; t < slots_; ++t) {
        if (s == t) continue;
        const auto hops = static_cast<double>(distance(problem_.slots[s], problem_.slots[t]));
        y[s * slots_ + t] = program_.add_column(0, 1, static_cast<double>(pair.words) / max_words * hops, false);
      }
    }
    for (std::size_t s = 0; s < slots_; ++s) {
      for (const bool first : {true, false}) {
        terms_.push_back({x(first ? pair.a : pair.b, s), -1});
        for (std::size_t t = 0; t < slots_; ++t) {
          if (s != t) terms_.push_back({y[first ? s * slots_ + t : t * slots_ + s], 1});
        }
        end_row(0, 0);
      }
    }
  }

  const PlacementProblem& problem_;
  std::size_t slots_;
  scheduler::CbcProgram program_;
  std::vector<scheduler::CbcProgram::Term> terms_;
};

/// Sets of branches without mutual dependences: each branch joins the first set that has none of its partners and is
/// not full.
std::vector<std::vector<std::size_t>> independent_sets(const PlacementProblem& problem) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> set_of(problem.branches());
  for (std::size_t branch = 0; branch < problem.branches(); ++branch) {
    std::vector<char> taken(sets.size() + 1, 0);
    for (const Partner& partner : problem.partners_of(branch)) {
      if (partner.branch < branch) taken[set_of[partner.branch]] = 1;
    }
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (sets[set].size() == max_branches) taken[set] = 1;
    }
    const auto set = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    if (set == sets.size()) sets.emplace_back();
    set_of[branch] = set;
    sets[set].push_back(branch);
  }
  return sets;
}

/// The free slots in which some branch of the set would have the minimum word-hops.
template <class WordHops>
std::vector<std::size_t> best_free_slots(const PlacementProblem& problem, std::span<const std::size_t> set,
                                         const Binding& binding, const WordHops& word_hops) {
  std::vector<char> taken(problem.slots.size(), 0);
  for (const std::size_t slot : binding) taken[slot] = 1;
  std::vector<std::pair<std::int64_t, std::size_t>> ranked;
  for (std::size_t slot = 0; slot < taken.size(); ++slot) {
    if (taken[slot] != 0) continue;
    std::int64_t min_hops = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t branch : set) min_hops = std::min(min_hops, word_hops(branch, slot));
    ranked.emplace_back(min_hops, slot);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(ranked.size(), max_branches));
  std::vector<std::size_t> slots;
  slots.reserve(ranked.size());
  for (const auto& [hops, slot] : ranked) slots.push_back(slot);
  return slots;
}

/// Reassigns the branches of an independent set to their own and free slots. All partners stay where they are, so that
/// this is a linear assignment. Dummies in the free slots may not leave their layer, which keeps the number of branches
/// of each layer. Returns whether the word-hops fell.
bool reassign(const PlacementProblem& problem, std::span<const std::size_t> set, Binding& binding) {
  const auto word_hops = [&](std::size_t branch, std::size_t slot) {
    std::int64_t sum = 0;
    for (const Partner& partner : problem.partners_of(branch)) {
      sum += partner.words * distance(problem.slots[slot], problem.slots[binding[partner.branch]]);
    }
    return sum;
  };
  std::vector<std::size_t> slots;
  for (const std::size_t branch : set) slots.push_back(binding[branch]);
  for (const std::size_t slot : best_free_slots(problem, set, binding, word_hops)) slots.push_back(slot);
  const std::size_t n = slots.size();
  std::vector<std::int64_t> cost(n * n, 0);
  std::int64_t all = 1;
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::int64_t largest = 0;
    for (std::size_t s = 0; s < n; ++s) {
      cost[i * n + s] = word_hops(set[i], slots[s]);
      largest = std::max(largest, cost[i * n + s]);
    }
    all += largest;
  }
  for (std::size_t i = set.size(); i < n; ++i) {
    for (std::size_t s = 0; s < n; ++s) {
      if (problem.slots[slots[s]].layer != problem.slots[slots[i]].layer) cost[i * n + s] = all;
    }
  }
  const std::vector<std::size_t> found = cheapest_assignment(n, cost);
  std::int64_t gained = 0;
  for (std::size_t i = 0; i < set.size(); ++i) gained += cost[i * n + i] - cost[i * n + found[i]];
  if (gained <= 0) return false;
  for (std::size_t i = 0; i < set.size(); ++i) binding[set[i]] = slots[found[i]];
  return true;
}

}  // namespace

Binding bind_by_programs(const PlacementProblem& problem, std::uint64_t seed) {
  const std::vector<Pair> pairs = pairs_of(problem);
  if (pairs.empty()) return bind_zig_zag(problem, seed);
  if (pairs.size() * problem.slots.size() * problem.slots.size() <= max_products)
    return WholeProgram(problem, pairs).solve();
  const std::vector<std::vector<std::size_t>> sets = independent_sets(problem);
  Binding binding = bind_zig_zag(problem, seed);
  for (std::size_t unchanged = 0, next = 0; unchanged < sets.size(); next = (next + 1) % sets.size()) {
    unchanged = reassign(problem, sets[next], binding) ? 0 : unchanged + 1;
  }
  return binding;
}

}  // namespace pimsweep::systems::allspark::placement
