#pragma once

#include <cstdint>

#include "systems/heteropim/runtime/task_graph.h"

namespace pimsweep::systems::heteropim::runtime {

/// A lower bound of the time of a step in a schedule of many steps, on one host, `pairs` pairs and `programmable`
/// programmable PIMs. Any prices of the devices' time that add up to 1 give such a bound: the sum of the costs of the
/// tasks, each on its cheapest device (duality of linear programming). A search finds the best prices to within some
/// tenths of a percent.
double work_bound(const TaskGraph& graph, std::uint32_t pairs, std::uint32_t programmable);

}  // namespace pimsweep::systems::heteropim::runtime
