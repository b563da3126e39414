#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <limits>

#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::allspark {

namespace {

/// A placed branch that the branch to be placed depends on, or that depends on it.
struct Partner {
  const Slot* slot;
  std::int64_t words;
};

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
    find_partners(branch);
    std::size_t best = nowhere;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t slot = 0; slot < problem_.slots.size(); ++slot) {
      const Slot& place = problem_.slots[slot];
      if (free_[slot] == 0 || left_[place.layer] == 0) continue;
      std::int64_t word_hops = 0;
      for (const Partner& partner : partners_) word_hops += partner.words * distance(place, *partner.slot);
      if (word_hops >= fewest) continue;
      fewest = word_hops;
      best = slot;
    }
    return best;
  }

  void find_partners(std::size_t branch) {
    partners_.clear();
    const workload::BranchGraph& graph = problem_.transfers;
    const auto take = [&](std::size_t other, std::int64_t words) {
      if (binding_[other] != nowhere) partners_.push_back({&problem_.slots[binding_[other]], words});
    };
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(branch, graph))) {
      take(boost::target(edge, graph), graph[edge].words);
    }
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(branch, graph))) {
      take(boost::source(edge, graph), graph[edge].words);
    }
  }

  void place(std::size_t branch, std::size_t slot) {
    binding_[branch] = slot;
    free_[slot] = 0;
    --left_[problem_.slots[slot].layer];
    const workload::BranchGraph& graph = problem_.transfers;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(branch, graph))) {
      ++dependences_[boost::target(edge, graph)];
    }
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(branch, graph))) {
      ++dependences_[boost::source(edge, graph)];
    }
  }

  const PlacementProblem& problem_;
  Binding binding_;
  std::vector<char> free_;
  std::vector<std::int64_t> left_;
  /// Of each branch on placed ones, in either direction.
  std::vector<std::int64_t> dependences_;
  std::vector<Partner> partners_;
};

}  // namespace

Binding bind_greedily(const PlacementProblem& problem, std::uint64_t) { return Greedy(problem).run(); }

}  // namespace pimsweep::allspark
