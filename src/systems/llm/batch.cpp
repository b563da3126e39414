#include "systems/llm/batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/llm/gpu_costs.h"
#include "systems/llm/pim_costs.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// A part of a prompt beside sequences that generate.
bool is_mixed_step(const Step& step) {
  const auto is_prompt = [](const Sequences& some) { return some.is_prompt; };
  return std::ranges::any_of(step.sequences, is_prompt) && !std::ranges::all_of(step.sequences, is_prompt);
}

/// Seconds in which an operator's inputs go to PIM and its outputs come back.
double both_ways(const Connections& connections, const Operator& op) {
  if (!connections.uses_link(op)) return 0;
  return hardware::links::transfer_time(connections.pim, op.input_bytes) +
         hardware::links::transfer_time(connections.pim, op.output_bytes);
}

}  // namespace

Connections BatchPlace::connections() const {
  const Machine& m = settings->machine;
  return {.cards = m.cards.link,
          .pim = m.pim.link,
          .devices = static_cast<double>(cards),
          .attention_stops_card = m.pim.attention_stops_card(),
          .products_stop_card = m.pim.products_stop_card(),
          .products_in_card_memory = m.pim.kind == PimKind::rated};
}

void cost_batch(const BatchPlace& place, std::span<const Sequences> sequences, std::span<const std::int32_t> assigned,
                Batch& batch) {
  const Settings& s = *place.settings;
  workload::decoder::make_step(*place.decoder, sequences, s.bits, place.cards, batch.step, place.routing);
  batch.choices.clear();
  const Pim& pim = s.machine.pim;
  const Connections connections = place.connections();
  for (const Operator& op : batch.step.operators) {
    batch.choices.push_back({.op = &op,
                             .gpu = gpu_cost(s.machine.cards, op, batch.step, s.bits),
                             .pim = pim.kind == PimKind::newton ? (*place.newton)(pim, op, s.bits)
                                                                : pim_cost(pim, op, batch.step, s.bits, assigned),
                             .transfer = both_ways(connections, op)});
    if (op.kind == Kind::experts && s.policy->divides_experts) {
      expert_costs(s.machine, op, batch.step, s.bits, batch.experts);
    }
  }
}

void choose_by(const Policy& policy, const BatchPlace& place, Batch& batch) {
  for (Choice& choice : batch.choices) {
    choice.pim_share = 0;
    choice.parts.reset();
  }
  policy.choose(batch.choices, {.step = &batch.step,
                                .experts = &batch.experts,
                                .is_mixed = is_mixed_step(batch.step),
                                .intensity = batch.step.tokens,
                                .intensity_threshold = place.settings->machine.pim.intensity_threshold});
}

std::string choose_sides(const BatchPlace& place, Batch& batch) {
  const Settings& s = *place.settings;
  choose_by(*s.policy, place, batch);
  for (const Choice& choice : batch.choices) {
    if (is_possible(choice.pim_share > 0 ? choice.pim : choice.gpu)) continue;
    return fmt::format("policy {} runs {} on {}, but the machine has none that can", s.policy->name, choice.op->name,
                       choice.pim_share > 0 ? "PIM" : "a card");
  }
  return {};
}

void run_batch(const BatchPlace& place, attacc::Pipelining pipelining, Batch& batch) {
  batch.piped = run_step(pipelining, batch.choices, batch.step.attention.heads, place.connections(), batch.runs);
}

}  // namespace pimsweep::systems::llm
