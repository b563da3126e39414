#pragma once

#include "systems/llm/evaluation.h"

namespace pimsweep::systems::llm {

/// A model on CXL devices of GDDR6-AiM (docs/cent.md): one sequence in each stage, a prompt's tokens one after another
/// like those that are generated. Without `tensor_parallel` blocks are stages of a pipeline; else that many devices
/// share each block. Throws PointError for phase mixed, where the machine has no such devices, and for the accounting
/// of another artifact.
void evaluate_cent(const Settings& settings, const workload::decoder::Decoder& decoder, Evaluation& evaluation);

}  // namespace pimsweep::systems::llm
