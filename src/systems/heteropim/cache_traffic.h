#pragma once

#include <cstdint>
#include <vector>

#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Bytes that each operation moves between memory and a cache of `capacity` bytes when operations run one by one in the
/// order of the graph. The cache holds whole tensors and evicts the least recently used one. An operation pays for
/// inputs that are not in the cache, and for its results when they are evicted. A tensor larger than the cache never
/// stays.
std::vector<double> cache_traffic(const workload::training::TrainingGraph& graph, double capacity);

}  // namespace pimsweep::systems::heteropim
