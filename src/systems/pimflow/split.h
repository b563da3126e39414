#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "systems/pimflow/plan.h"

namespace pimsweep::systems::pimflow {

/// Visits the steps of a node's run in order: a kernel and a part on PIM that start together; either may be empty.
using StepVisitor =
    std::function<void(std::string_view what, const hardware::gpu::KernelCost& kernel, const PimCost& part)>;
void visit_steps(Costs& costs, const Node& node, std::int64_t gpu_rows, const StepVisitor& visit);

/// The node with `gpu_rows` rows of the output on the GPU and the rest on PIM (MD-DP, Sec. 4.2.1).
Decision split_at(Costs& costs, const Node& node, std::int64_t gpu_rows);

Decision on_gpu(Costs& costs, const Node& node);
/// Whole on GPU or PIM, whichever is faster; on PIM where the machine requires it and PIM can.
Decision faster_device(Costs& costs, const Node& node);

/// Rows of the output in a share of `percent`, rounded up to whole rows as in the artifact.
std::int64_t rows_of_share(const Node& node, std::int64_t percent);

/// The best of GPU shares 0, interval, 2 interval, ... and 100 % (Sec. 4.2.2).
Decision best_share(Costs& costs, const Node& node, std::int64_t interval);

/// The best number of rows. Nodes of more than 1024 rows are searched on a grid of 1/1024, then row by row around the
/// best of the grid and of the shares above.
Decision best_rows(Costs& costs, const Node& node, std::int64_t interval);

}  // namespace pimsweep::systems::pimflow
