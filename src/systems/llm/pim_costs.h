#pragma once

#include <span>

#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Cost of running an operator once on the PIM of one card; `impossible` if that cannot. Attention PIM has no sums over
/// several queries: each query of a group reads keys and values anew, and each row of a product its weights.
/// `assigned`: as in channel_attention.
Cost pim_cost(const Pim& pim, const workload::decoder::Operator& op, const workload::decoder::Step& step,
              const workload::decoder::Bits& bits, std::span<const std::int32_t> assigned = {});

}  // namespace pimsweep::systems::llm
