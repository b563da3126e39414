#include "systems/llm/rated_pim.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Bits;
using workload::decoder::ExpertLoad;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

Cost rated(const RatedPim& pim, const RatedUnits& units, double devices, double bytes, double operations) {
  if (units.bandwidth == 0 || units.rate == 0) return impossible;
  return {.seconds = std::max(bytes / units.bandwidth, operations / units.rate) / devices,
          .bytes = bytes,
          .energy = bytes * pim.memory_energy + operations * pim.operation_energy};
}

Cost begun(const RatedPim& pim, Cost cost) {
  cost.seconds += pim.latency;
  return cost;
}

}  // namespace

Cost rated_attention(const RatedPim& pim, double devices, const Operator& op, const Step& step, const Bits& bits) {
  double positions = 0;
  for (const Sequences& some : step.sequences) {
    if (!some.is_prompt) positions += some.count * workload::decoder::read_positions(some, step.window);
  }
  const double bytes = positions * step.attention.cached_elements() * bits.cache / 8;
  return begun(pim, rated(pim, pim.attention, devices, bytes, op.operations));
}

Cost rated_product(const RatedPim& pim, double devices, const Operator& op) {
  return begun(pim, rated(pim, pim.products, devices, op.weight_bytes, op.operations));
}

Cost rated_expert(const RatedPim& pim, double devices, const Operator& op, const ExpertLoad& load,
                  double tokens_of_all) {
  const double bytes = op.weight_bytes / op.products;
  const double operations = op.operations * load.tokens / tokens_of_all;
  const Cost cost = rated(pim, pim.products, devices, bytes, operations);
  return {load.active * cost.seconds, load.active * cost.bytes, load.active * cost.energy};
}

}  // namespace pimsweep::systems::llm
