#include "systems/llm/expert_costs.h"

#include <algorithm>

#include "hardware/gpu/language/kernels.h"

namespace pimsweep::systems::llm {

namespace {

namespace language = hardware::gpu::language;
using workload::decoder::Bits;
using workload::decoder::ExpertLoad;
using workload::decoder::Operator;
using workload::decoder::Step;

/// Passages of tokens through experts: each token passes through as many as it chooses.
double passages(const Operator& op) { return op.rows * op.products; }

Cost card_expert(const Cards& cards, const Operator& op, const Step& step, const Bits& bits, const ExpertLoad& load) {
  if (load.active == 0) return {};
  const language::KernelTime time = language::expert(cards.card,
                                                     {.tokens = step.tokens,
                                                      .per_token = passages(op) / step.tokens,
                                                      .hidden = op.inner,
                                                      .width = op.columns,
                                                      .weight_bytes = bits.weights / 8,
                                                      .value_bytes = bits.activations / 8},
                                                     load.tokens);
  const double operations = op.operations * load.tokens / passages(op);
  const double energy = operations * cards.operation_energy + time.memory_bytes * cards.memory_energy;
  // As in gpu_cost.
  const double least = std::max(time.memory_bytes / cards.card.memory_bandwidth, operations / cards.card.peak_rate());
  const double seconds = std::max(cards.errors.experts * time.seconds, least);
  return {load.active * seconds, load.active * time.memory_bytes, load.active * energy};
}

Cost once_on_card(const Cards& cards) { return {.seconds = cards.errors.experts * cards.card.kernels.experts_latency}; }

bool has_units(const Pim& pim) {
  return pim.kind == PimKind::rated && pim.rated.products.rate > 0 && pim.rated.products.bandwidth > 0;
}

}  // namespace

void expert_costs(const Machine& machine, const Operator& op, const Step& step, const Bits& bits, ExpertCosts& costs) {
  costs.card.clear();
  costs.pim.clear();
  costs.card_once = once_on_card(machine.cards);
  costs.pim_once = {.seconds = machine.pim.rated.latency};
  const auto devices = static_cast<double>(machine.pim.devices);
  for (const ExpertLoad& load : step.experts) {
    costs.card.push_back(card_expert(machine.cards, op, step, bits, load));
    if (has_units(machine.pim)) {
      costs.pim.push_back(rated_expert(machine.pim.rated, devices, op, load, passages(op)));
    }
  }
}

Cost all_on_card(const Cards& cards, const Operator& op, const Step& step, const Bits& bits) {
  Cost cost = once_on_card(cards);
  for (const ExpertLoad& load : step.experts) cost += card_expert(cards, op, step, bits, load);
  return cost;
}

Cost all_on_pim(const Pim& pim, const Operator& op, const Step& step) {
  if (!has_units(pim)) return impossible;
  Cost cost{.seconds = pim.rated.latency};
  for (const ExpertLoad& load : step.experts) {
    cost += rated_expert(pim.rated, static_cast<double>(pim.devices), op, load, passages(op));
  }
  return cost;
}

ExpertParts parts_of(const ExpertCosts& costs, const Step& step, const std::vector<bool>& on_pim) {
  ExpertParts parts{.card = costs.card_once, .pim = costs.pim_once};
  double tokens = 0;
  double tokens_on_pim = 0;
  for (std::size_t i = 0; i < on_pim.size(); ++i) {
    const double passing = step.experts[i].active * step.experts[i].tokens;
    tokens += passing;
    if (on_pim[i]) {
      parts.pim += costs.pim[i];
      tokens_on_pim += passing;
    } else {
      parts.card += costs.card[i];
    }
  }
  parts.pim_share = tokens_on_pim / tokens;
  return parts;
}

}  // namespace pimsweep::systems::llm
