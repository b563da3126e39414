#include <limits>
#include <utility>

#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark::placement {

namespace {

class Greedy {
 public:
  explicit Greedy(const PlacementProblem& problem)
      : problem_(problem),
        binding_(problem.branches(), nowhere),
        free_(problem.slots.size(), 1),
        left_(problem.layer_branches),
        dependences_(problem.branches(), 0) {}

  Binding run() {
    for (std::size_t placed = 0; placed < problem_.branches(); ++placed) {
      const std::size_t branch = next_branch();
      place(branch, nearest_slot(branch));
    }
    return std::move(binding_);
  }

 private:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  std::size_t next_branch() const {
    std::size_t best = nowhere;
    for (std::size_t branch = 0; branch < binding_.size(); ++branch) {
      if (binding_[branch] != nowhere) continue;
      if (best == nowhere || dependences_[branch] > dependences_[best]) best = branch;
    }
    return best;
  }

  std::size_t nearest_slot(std::size_t branch) {
    placed_.clear();
    for (const Partner& partner : problem_.partners_of(branch)) {
      if (binding_[partner.branch] != nowhere)
        placed_.push_back({&problem_.slots[binding_[partner.branch]], partner.words});
    }
    std::size_t best = nowhere;
    std::int64_t min_word_hops = std::numeric_limits<std::int64_t>::max();
    for (std::size_t slot = 0; slot < problem_.slots.size(); ++slot) {
      const Slot& place = problem_.slots[slot];
      if (free_[slot] == 0 || left_[place.layer] == 0) continue;
      std::int64_t word_hops = 0;
      for (const auto& [there, words] : placed_) word_hops += words * distance(place, *there);
      if (word_hops >= min_word_hops) continue;
      min_word_hops = word_hops;
      best = slot;
    }
    return best;
  }

  void place(std::size_t branch, std::size_t slot) {
    binding_[branch] = slot;
    free_[slot] = 0;
    --left_[problem_.slots[slot].layer];
    for (const Partner& partner : problem_.partners_of(branch)) dependences_[partner.branch] += partner.dependences;
  }

  const PlacementProblem& problem_;
  Binding binding_;
  std::vector<char> free_;
  std::vector<std::int64_t> left_;
  /// Dependences of each branch on placed branches, in either direction.
  std::vector<std::int64_t> dependences_;
  /// Placed partners of the current branch, and their words.
  std::vector<std::pair<const Slot*, std::int64_t>> placed_;
};

}  // namespace

Binding bind_greedily(const PlacementProblem& problem, std::uint64_t) { return Greedy(problem).run(); }

}  // namespace pimsweep::systems::allspark::placement
