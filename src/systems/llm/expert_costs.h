#pragma once

#include <cstddef>
#include <vector>

#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// What the experts of a layer cost on either side, each among others there, as expected over routing. They add up: a
/// side takes the sum of its experts, and what it takes once if it has any.
struct ExpertCosts {
  std::vector<Cost> card;
  std::vector<Cost> pim;
  Cost card_once = {};
  Cost pim_once = {};
};

/// Costs of each expert; a machine whose PIM has no units for experts has `pim` empty. `costs` keeps its memory.
void expert_costs(const Machine& machine, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                  const workload::decoder::Bits& bits, ExpertCosts& costs);

/// All experts on the card, if tokens do not choose them alike, and all on PIM.
Cost all_on_card(const Cards& cards, const workload::decoder::Operator& op, const workload::decoder::Step& step,
                 const workload::decoder::Bits& bits);
Cost all_on_pim(const Pim& pim, const workload::decoder::Operator& op, const workload::decoder::Step& step);

/// Experts on either side.
struct ExpertParts {
  Cost card = {};
  Cost pim = {};
  /// Share of the tokens' passages through experts that PIM has: what it sends back.
  double pim_share = 0;
};
/// `on_pim` has an entry for each expert.
ExpertParts parts_of(const ExpertCosts& costs, const workload::decoder::Step& step, const std::vector<bool>& on_pim);

}  // namespace pimsweep::systems::llm
