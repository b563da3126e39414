#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark::placement {

namespace {

/// Effort: moves tried per branch, moves that set the first temperature, and last temperature relative to the first.
constexpr std::size_t moves_per_branch = 2000;
constexpr std::size_t probes_per_branch = 10;
constexpr double last_temperature = 1e-3;

/// The upper left node of a slot, small, as the search reads many of them.
struct Place {
  std::int32_t row = 0;
  std::int32_t col = 0;
};

std::int64_t distance(Place a, Place b) { return std::abs(a.row - b.row) + std::abs(a.col - b.col); }

/// Simulated annealing of the word-hops of a binding: random exchanges of a branch with another one, or with a free
/// slot of its layer, at falling temperatures.
///
///     const Binding binding = Annealing(problem, seed).run();
///
/// Words and distances are integers, so that the sum of changes is exact and the result depends on the seed alone. The
/// effort is fixed: 2000 moves for each branch.
class Annealing {
 public:
  Annealing(const PlacementProblem& problem, std::uint64_t seed)
      : problem_(problem),
        binding_(bind_randomly(problem, seed)),
        branch_at_(problem.slots.size(), nobody),
        random_(seed + 1),
        any_branch_(0, problem.branches() - 1),
        any_slot_(0, problem.slots.size() - 1) {
    for (const Slot& slot : problem.slots) {
      slot_place_.push_back({static_cast<std::int32_t>(slot.nodes.row), static_cast<std::int32_t>(slot.nodes.col)});
    }
    for (std::size_t branch = 0; branch < binding_.size(); ++branch) {
      branch_at_[binding_[branch]] = branch;
      branch_place_.push_back(slot_place_[binding_[branch]]);
    }
  }

  Binding run() {
    const std::size_t moves = moves_per_branch * problem_.branches();
    double temperature = first_temperature();
    if (temperature == 0) return binding_;
    const double cooling = std::pow(last_temperature, 1.0 / static_cast<double>(moves));
    std::uniform_real_distribution<double> chance(0, 1);
    std::int64_t now = 0;
    std::int64_t lowest = 0;
    Binding best = binding_;
    for (std::size_t move = 0; move < moves; ++move, temperature *= cooling) {
      const std::size_t branch = any_branch_(random_);
      const std::size_t slot = any_slot_(random_);
      if (!allowed(branch, slot)) continue;
      const std::int64_t change = change_of_exchange(branch, slot);
      if (change > 0 && chance(random_) >= std::exp(-static_cast<double>(change) / temperature)) continue;
      exchange(branch, slot);
      now += change;
      if (now < lowest) {
        lowest = now;
        best = binding_;
      }
    }
    return best;
  }

 private:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  /// Mean absolute change of a move.
  double first_temperature() {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t probe = 0; probe < probes_per_branch * problem_.branches(); ++probe) {
      const std::size_t branch = any_branch_(random_);
      const std::size_t slot = any_slot_(random_);
      if (!allowed(branch, slot)) continue;
      sum += std::abs(static_cast<double>(change_of_exchange(branch, slot)));
      ++count;
    }
    return count == 0 ? 0.0 : sum / static_cast<double>(count);
  }

  /// A free slot must be in the layer of the branch, as layers keep their numbers of branches.
  bool allowed(std::size_t branch, std::size_t slot) const {
    if (slot == binding_[branch]) return false;
    return branch_at_[slot] != nobody || problem_.slots[slot].layer == problem_.slots[binding_[branch]].layer;
  }

  /// Swaps a branch with the content of a slot, another branch or nothing.
  void exchange(std::size_t branch, std::size_t slot) {
    const std::size_t other = branch_at_[slot];
    const std::size_t left = binding_[branch];
    branch_at_[left] = other;
    if (other != nobody) put(other, left);
    put(branch, slot);
    branch_at_[slot] = branch;
  }

  void put(std::size_t branch, std::size_t slot) {
    binding_[branch] = slot;
    branch_place_[branch] = slot_place_[slot];
  }

  /// Change of the word-hops by `exchange`. Two branches that swap stay as far from each other as they are.
  std::int64_t change_of_exchange(std::size_t branch, std::size_t slot) const {
    const std::size_t other = branch_at_[slot];
    const Place from = branch_place_[branch];
    const Place to = slot_place_[slot];
    return change_of_move(branch, other, from, to) + (other == nobody ? 0 : change_of_move(other, branch, to, from));
  }

  /// Change by moving one branch, over its edges except those with `without`.
  std::int64_t change_of_move(std::size_t branch, std::size_t without, Place from, Place to) const {
    std::int64_t sum = 0;
    for (const Partner& partner : problem_.partners_of(branch)) {
      const Place there = branch_place_[partner.branch];
      if (partner.branch != without) sum += partner.words * (distance(to, there) - distance(from, there));
    }
    return sum;
  }

  const PlacementProblem& problem_;
  Binding binding_;
  std::vector<std::size_t> branch_at_;
  std::vector<Place> slot_place_;
  std::vector<Place> branch_place_;
  std::mt19937_64 random_;
  std::uniform_int_distribution<std::size_t> any_branch_;
  std::uniform_int_distribution<std::size_t> any_slot_;
};

}  // namespace

Binding bind_by_annealing(const PlacementProblem& problem, std::uint64_t seed) {
  if (problem.branches() < 2) return bind_randomly(problem, seed);
  return Annealing(problem, seed).run();
}

}  // namespace pimsweep::systems::allspark::placement
