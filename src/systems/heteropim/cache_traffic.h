#pragma once

#include <cstdint>
#include <vector>

#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Bytes that each operation moves between memory and a cache of so many bytes when operations run one by one in the
/// graph's order. The cache holds whole tensors and drops the one not used for longest; an operation pays for the
/// inputs that are no longer there and for what it writes as soon as that is dropped. A tensor larger than the cache
/// never stays.
std::vector<double> cache_traffic(const workload::training::TrainingGraph& graph, double capacity);

}  // namespace pimsweep::systems::heteropim
