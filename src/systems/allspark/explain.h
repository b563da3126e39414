#pragma once

#include <vector>

#include "hardware/gpu/network/inference.h"
#include "systems/allspark/interactions.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/operator_run.h"
#include "systems/allspark/policy.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Writes the machine, the model and the lower bound of its time.
void explain_model(const ModelCosts& costs, Explanation& notes);

/// Writes the output of explain_model() and, for each stage, every phase of every partition that the schedule uses, its
/// memory and totals.
void explain_decision(ModelCosts& costs, const Decision& decision, bool weight_reuse, Explanation& notes);

/// Writes the stages of a network run operator by operator.
void explain_operators(const OperatorSchedule& schedule, const Machine& machine, Explanation& notes);

/// Writes launches, work and every kernel of an inference on the GPU.
void explain_gpu(const hardware::gpu::network::Inference& inference, Explanation& notes);

/// Writes the data exchanged between branches in each stage, and its routes.
void explain_interactions(const std::vector<StageInteraction>& interactions, Explanation& notes);

}  // namespace pimsweep::systems::allspark
