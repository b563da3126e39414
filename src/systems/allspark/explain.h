#pragma once

#include <vector>

#include "hardware/gpu/network/inference.h"
#include "systems/allspark/model_costs.h"
#include "systems/allspark/placement/interactions.h"
#include "systems/allspark/policy.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Writes the machine, and for each stage every phase of every partition that the schedule uses, its memory and totals.
void explain_decision(ModelCosts& costs, const Decision& decision, bool weight_reuse, Explanation& notes);

/// Writes launches, work and every kernel of an inference on the graphics card.
void explain_gpu(const hardware::gpu::network::Inference& inference, Explanation& notes);

/// Writes what branches exchange in each stage and where it goes.
void explain_interactions(const std::vector<placement::StageInteraction>& interactions, Explanation& notes);

}  // namespace pimsweep::systems::allspark
