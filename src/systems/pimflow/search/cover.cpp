#include "systems/pimflow/search/cover.h"

#include <optional>

namespace pimsweep::systems::pimflow::search {

std::vector<std::size_t> best_cover(std::span<const double> single, std::span<const Group> groups) {
  std::vector<std::vector<std::size_t>> ending_at(single.size() + 1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].length > 0 && groups[g].first + groups[g].length <= single.size()) {
      ending_at[groups[g].first + groups[g].length].push_back(g);
    }
  }
  std::vector<double> lowest(single.size() + 1, 0);
  std::vector<std::optional<std::size_t>> last_group(single.size() + 1);
  for (std::size_t end = 1; end <= single.size(); ++end) {
    lowest[end] = lowest[end - 1] + single[end - 1];
    for (const std::size_t g : ending_at[end]) {
      const double cost = lowest[groups[g].first] + groups[g].cost;
      if (cost < lowest[end]) {
        lowest[end] = cost;
        last_group[end] = g;
      }
    }
  }
  std::vector<std::size_t> taken;
  for (std::size_t end = single.size(); end > 0;) {
    if (last_group[end]) {
      taken.push_back(*last_group[end]);
      end = groups[*last_group[end]].first;
    } else {
      --end;
    }
  }
  return taken;
}

}  // namespace pimsweep::systems::pimflow::search
