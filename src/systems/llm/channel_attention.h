#pragma once

#include <span>

#include "systems/llm/channels.h"
#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Seconds that each sequence which generates takes on the channel that holds it (hardware/neupims), in the order of
/// the step's groups, one for each sequence. `loads` keeps its memory.
void channel_loads(const Pim& pim, const workload::decoder::Step& step, const workload::decoder::Bits& bits,
                   std::vector<double>& loads);

/// Attention of the sequences that generate on the channels of all devices of a card, which end when the most loaded
/// channel does. Sequences are on the channels `assigned`, or come to channels by `pim.assignment` where that is empty.
Cost channel_attention(const Pim& pim, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                       const workload::decoder::Bits& bits, std::span<const std::int32_t> assigned);

}  // namespace pimsweep::systems::llm
