#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "systems/pimflow/plan.h"

namespace pimsweep::systems::pimflow {

/// Every occurrence of a pattern (Sec. 5: 1x1-DW, DW-1x1, 1x1-DW-1x1) in consecutive nodes, each of which is the only
/// reader of the node before. The 1x1 convolutions run on PIM, the depthwise ones on the GPU.
std::vector<Pipeline> find_pipelines(const Network& network, const Costs& costs);

/// Rows of each node's output (outer index) in each stage. The rows of the last node are divided evenly; an earlier
/// node computes in each stage the rows that the next node then needs and does not have yet, halo included.
std::vector<std::vector<std::int64_t>> stage_rows(const Network& network, const std::vector<std::size_t>& nodes,
                                                  std::int64_t stages);

/// Visits the steps of a pipeline's run in order: kernels and parts on PIM that start together, and the nodes that they
/// belong to.
using PipelineVisitor = std::function<void(std::string_view what, std::span<const std::size_t> nodes,
                                           const hardware::gpu::KernelCost& kernels, const PimCost& parts)>;
/// In lock step: in each step node j is at stage step - j.
void visit_pipeline_steps(Costs& costs, const Network& network, const std::vector<std::size_t>& nodes,
                          std::int64_t stages, const PipelineVisitor& visit);

/// Usage of the pipeline in `stages` stages, each step of which takes as long as the busier device. Empty if the last
/// node has fewer rows than stages.
std::optional<Usage> pipeline_usage(Costs& costs, const Network& network, const std::vector<std::size_t>& nodes,
                                    std::int64_t stages);

}  // namespace pimsweep::systems::pimflow
