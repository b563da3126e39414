#pragma once

#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Cost of running an operator once on one card; `impossible` on a machine without cards.
Cost gpu_cost(const Cards& cards, const workload::decoder::Operator& op, const workload::decoder::Step& step,
              const workload::decoder::Bits& bits);

}  // namespace pimsweep::systems::llm
