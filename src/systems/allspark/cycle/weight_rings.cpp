#include "systems/allspark/cycle/weight_rings.h"

#include <algorithm>

namespace pimsweep::systems::allspark::cycle {

using hardware::node_array::SubArray;

std::vector<SubArray> sub_arrays_in_snake_order(std::int64_t node_rows, std::int64_t node_cols,
                                                const Partition& partition, std::int64_t count) {
  std::vector<SubArray> places =
      hardware::node_array::structured_layout(node_rows, node_cols, partition.head_split, partition.patch_split);
  bool back = false;
  for (auto first = places.begin(); first != places.end(); back = !back) {
    const auto last = std::find_if(first, places.end(), [&](const SubArray& place) { return place.row != first->row; });
    if (back) std::reverse(first, last);
    first = last;
  }
  places.resize(static_cast<std::size_t>(std::min(count, static_cast<std::int64_t>(places.size()))));
  return places;
}

NodePlace node_of(const SubArray& nodes, const Partition& partition, std::int64_t head, std::int64_t patch) {
  return nodes.height == partition.head_split ? NodePlace{nodes.row + head, nodes.col + patch}
                                              : NodePlace{nodes.row + patch, nodes.col + head};
}

std::vector<NodePlace> weight_ring(const std::vector<SubArray>& places, const Partition& partition, std::int64_t head) {
  std::vector<NodePlace> ring;
  ring.reserve(places.size() * static_cast<std::size_t>(partition.patch_split));
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::int64_t j = 0; j < partition.patch_split; ++j) {
      ring.push_back(node_of(places[i], partition, head, i % 2 == 0 ? j : partition.patch_split - 1 - j));
    }
  }
  return ring;
}

}  // namespace pimsweep::systems::allspark::cycle
