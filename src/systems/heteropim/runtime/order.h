#pragma once

#include <cstdint>
#include <vector>

#include "systems/heteropim/runtime/task_graph.h"

namespace pimsweep::systems::heteropim::runtime {

/// Tasks in the order of the graph.
std::vector<std::uint32_t> program_order(const TaskGraph& graph);

/// Tasks by upward rank, the longest path to the end of the step first (Topcuoglu, Hariri, Wu: Performance-effective
/// and low-complexity task scheduling for heterogeneous computing, TPDS 2002, Eq. 5), each task with the time of its
/// fastest device. A predecessor always precedes its successors.
std::vector<std::uint32_t> by_upward_rank(const TaskGraph& graph, std::uint32_t pairs);

/// Length of the longest path through the step, each task on its fastest device: no schedule of one step is shorter.
double critical_path(const TaskGraph& graph, std::uint32_t pairs);

}  // namespace pimsweep::systems::heteropim::runtime
