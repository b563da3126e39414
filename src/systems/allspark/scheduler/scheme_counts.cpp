#include "systems/allspark/scheduler/scheme_counts.h"

#include <algorithm>

namespace pimsweep::systems::allspark::scheduler {

std::vector<LayerGroup> groups_of(const StageProblem& stage, std::span<const std::int64_t> counts) {
  std::vector<LayerGroup> groups;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) groups.push_back({static_cast<std::int32_t>(i), counts[i]});
  }
  std::ranges::stable_sort(groups, std::greater<>(), [&stage](const LayerGroup& group) {
    return stage.schemes[static_cast<std::size_t>(group.scheme)].capacity;
  });
  return groups;
}

}  // namespace pimsweep::systems::allspark::scheduler
