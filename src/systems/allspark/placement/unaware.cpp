// Placements that ignore the dependences.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark::placement {

Binding bind_zig_zag(const PlacementProblem& problem, std::uint64_t) {
  Binding binding;
  for (std::size_t layer = 0; layer < problem.layers(); ++layer) {
    std::map<std::int64_t, std::vector<std::size_t>> rows;
    for (std::size_t slot = problem.layer_begin[layer]; slot < problem.layer_begin[layer + 1]; ++slot) {
      rows[problem.slots[slot].nodes.row].push_back(slot);
    }
    auto left = static_cast<std::size_t>(problem.layer_branches[layer]);
    bool backwards = false;
    for (auto& [row, slots] : rows) {
      std::sort(slots.begin(), slots.end(),
                [&](std::size_t a, std::size_t b) { return problem.slots[a].nodes.col < problem.slots[b].nodes.col; });
      if (backwards) std::reverse(slots.begin(), slots.end());
      backwards = !backwards;
      slots.resize(std::min(left, slots.size()));
      left -= slots.size();
      binding.insert(binding.end(), slots.begin(), slots.end());
    }
  }
  return binding;
}

Binding bind_randomly(const PlacementProblem& problem, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Binding binding;
  for (std::size_t layer = 0; layer < problem.layers(); ++layer) {
    std::vector<std::size_t> slots(problem.layer_begin[layer + 1] - problem.layer_begin[layer]);
    std::iota(slots.begin(), slots.end(), problem.layer_begin[layer]);
    std::shuffle(slots.begin(), slots.end(), random);
    binding.insert(binding.end(), slots.begin(), slots.begin() + problem.layer_branches[layer]);
  }
  std::shuffle(binding.begin(), binding.end(), random);
  return binding;
}

}  // namespace pimsweep::systems::allspark::placement
