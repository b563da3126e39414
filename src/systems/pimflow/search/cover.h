#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pimsweep::systems::pimflow::search {

/// `length` adjacent places that can be grouped, and the cost of the group.
struct Group {
  std::size_t first = 0;
  std::size_t length = 0;
  double cost = 0;
};

/// Covers places 0 .. single.size() - 1 at minimum cost, each alone (`single`) or as part of one group. Returns the
/// groups taken. This is the corrected Algorithm 1 (docs/pimflow.md): T[1][n] there is the minimum cost of the first n
/// places, whatever the order of the merges.
std::vector<std::size_t> best_cover(std::span<const double> single, std::span<const Group> groups);

}  // namespace pimsweep::systems::pimflow::search
