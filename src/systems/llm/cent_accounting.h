#pragma once

#include "systems/llm/evaluation.h"

namespace pimsweep::systems::llm {

/// A model on CXL devices of GDDR6-AiM (docs/cent.md): one sequence in each stage, a prompt's tokens one after another
/// like those that are generated. Without `tensor_parallel` blocks are stages of a pipeline; else that many devices
/// share each block. Whatever the policy, all operators run there. Throws PointError for phase mixed, and where the
/// machine has no such devices.
void evaluate_cent(const Settings& settings, const workload::decoder::Decoder& decoder, Evaluation& evaluation);

}  // namespace pimsweep::systems::llm
