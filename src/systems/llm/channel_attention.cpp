#include "systems/llm/channel_attention.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Bits;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Of one sequence of a group.
double channel_seconds(const Pim& pim, const Sequences& some, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  const double positions = workload::decoder::attended_positions(some, step.window) / some.new_tokens;
  const double cycles =
      hardware::neupims::attention_cycles(pim.channels, {.heads = a.heads,
                                                         .head_size = (a.key_size + a.value_size) / 2,
                                                         .context = std::max(1.0, std::round(positions)),
                                                         .value_bytes = bits.cache / 8});
  return some.new_tokens * cycles / pim.channels.clock;
}

/// Sequences of one group come to channels evenly under any rule.
double even_seconds(const Pim& pim, const Sequences& some, const Step& step, const Bits& bits) {
  return std::ceil(some.count / static_cast<double>(pim.request_channels())) * channel_seconds(pim, some, step, bits);
}

double longest_channel(const Pim& pim, std::span<const double> loads, std::span<const std::int32_t> assigned) {
  std::vector<double> sums(static_cast<std::size_t>(pim.request_channels()), 0);
  for (std::size_t i = 0; i < loads.size(); ++i) sums[static_cast<std::size_t>(assigned[i])] += loads[i];
  return *std::ranges::max_element(sums);
}

}  // namespace

void channel_loads(const Pim& pim, const Step& step, const Bits& bits, std::vector<double>& loads) {
  loads.clear();
  for (const Sequences& some : step.sequences) {
    if (some.is_prompt) continue;
    loads.insert(loads.end(), static_cast<std::size_t>(some.count), channel_seconds(pim, some, step, bits));
  }
}

Cost channel_attention(const Pim& pim, const Operator& op, const Step& step, const Bits& bits,
                       std::span<const std::int32_t> assigned) {
  const auto generates = [](const Sequences& some) { return !some.is_prompt; };
  const double bytes = op.operations * bits.cache / 16;
  Cost cost{.bytes = bytes, .energy = bytes * pim.rated.memory_energy + op.operations * pim.rated.operation_energy};
  if (std::ranges::count_if(step.sequences, generates) == 1) {
    cost.seconds = even_seconds(pim, *std::ranges::find_if(step.sequences, generates), step, bits);
    return cost;
  }
  std::vector<double> loads;
  channel_loads(pim, step, bits, loads);
  if (!assigned.empty()) {
    cost.seconds = longest_channel(pim, loads, assigned);
    return cost;
  }
  ChannelPlan plan;
  assign_channels(pim.assignment, loads, pim.request_channels(), plan);
  cost.seconds = plan.load;
  return cost;
}

}  // namespace pimsweep::systems::llm
