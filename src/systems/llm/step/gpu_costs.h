#pragma once

#include "systems/llm/step/cost.h"
#include "systems/llm/step/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm::step {

/// Cost of running an operator once on one GPU; `impossible` on a machine without GPUs.
Cost gpu_cost(const Gpus& gpus, const workload::decoder::Operator& op, const workload::decoder::Step& step,
              const workload::decoder::Bits& bits);

/// Cost of an expert among others on one GPU, as expected over routing, without what the operator takes once.
Cost gpu_expert(const Gpus& gpus, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                const workload::decoder::Bits& bits, const workload::decoder::ExpertLoad& load);
/// Cost of an operator of experts beside the experts.
Cost gpu_experts_once(const Gpus& gpus);

/// Passages of tokens through experts: each token passes through as many as it chooses.
double passages_of(const workload::decoder::Operator& op);

}  // namespace pimsweep::systems::llm::step
