#include "systems/llm/step_run.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;

Cost scaled(const Cost& cost, double share) {
  if (share == 0) return {};
  return {cost.seconds * share, cost.bytes * share, cost.energy * share};
}

Cost sent(const hardware::links::Link& link, double bytes) {
  if (bytes == 0) return {};
  return {hardware::links::transfer_time(link, bytes), bytes, bytes * link.energy};
}

/// Whether the data before or after operator `i` are those of the card: an operator of which PIM does only a part, or
/// does in the memory of the card, takes them from there and leaves them there.
bool is_on_card(std::span<const Choice> choices, std::size_t i, const Connections& connections) {
  return i >= choices.size() || choices[i].pim_share < 1 || !connections.uses_link(*choices[i].op);
}

Cost all_reduce_cost(const Operator& op, const Connections& connections) {
  const double bytes = hardware::links::all_reduce_bytes(op.input_bytes, connections.devices);
  return {hardware::links::all_reduce_time(connections.cards, op.input_bytes, connections.devices), bytes,
          bytes * connections.cards.energy};
}

/// What goes over links before the operator and after it.
void add_transfers(std::span<const Choice> choices, std::size_t i, const Connections& connections, OperatorRun& run) {
  const Choice& choice = choices[i];
  const bool whole = choice.pim_share == 1;
  // Inputs of a product that both sides do are needed whole on either side.
  if (!whole || i == 0 || is_on_card(choices, i - 1, connections))
    run.link += sent(connections.pim, choice.op->input_bytes);
  if (!whole || is_on_card(choices, i + 1, connections)) {
    const Cost returned = sent(connections.pim, choice.pim_share * choice.op->output_bytes);
    run.link += returned;
    run.returned = returned.seconds;
  }
}

/// The operators that heads in a pipeline run through: attention on PIM, that of prompts beside it, and with
/// `pipelining` of projections all from the first product of the attention to the last.
PipedOperators piped_operators(std::span<const Choice> choices, attacc::Pipelining pipelining, bool stops_card) {
  const auto is_on_pim = [](const Choice& choice) {
    return choice.op->kind == Kind::attention && choice.pim_share == 1;
  };
  const auto attention = static_cast<std::size_t>(std::ranges::find_if(choices, is_on_pim) - choices.begin());
  if (attention == choices.size()) return {};
  PipedOperators piped{.begin = attention, .end = attention + 1, .heads = {}};
  const bool has_prompts = piped.end < choices.size() && choices[piped.end].op->kind == Kind::prompt_attention;
  if (has_prompts && !stops_card) ++piped.end;
  if (pipelining != attacc::Pipelining::projections || stops_card) return piped;
  PipedOperators longer = piped;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].op->part != Part::attention || choices[i].op->kind != Kind::linear) continue;
    // PIM has no time for attention of other heads meanwhile.
    if (choices[i].pim_share > 0) return piped;
    longer.begin = std::min(longer.begin, i);
    longer.end = std::max(longer.end, i + 1);
  }
  return longer;
}

HeadPipeline head_pipeline(std::span<const OperatorRun> runs, double heads) {
  HeadPipeline pipeline{.heads = heads};
  double* card = &pipeline.before;
  for (const OperatorRun& run : runs) {
    if (run.op->kind == Kind::attention) {
      pipeline.sent = run.link.seconds - run.returned;
      pipeline.attention = run.pim.seconds;
      pipeline.returned = run.returned;
      card = &pipeline.after;
    } else if (run.op->kind == Kind::prompt_attention) {
      pipeline.prompts = run.gpu.seconds;
    } else {
      *card += run.gpu.seconds;
    }
  }
  return pipeline;
}

/// Time of both sides of an operator.
double side_by_side(const OperatorRun& run, const Connections& connections) {
  const bool in_turn =
      run.op->kind == Kind::attention ? connections.attention_stops_card : connections.products_stop_card;
  return in_turn ? run.gpu.seconds + run.pim.seconds : std::max(run.gpu.seconds, run.pim.seconds);
}

/// Shortens the operators of the pipeline alike, so that they add up to its time.
void overlap(std::span<OperatorRun> runs, double time) {
  double sum = 0;
  for (const OperatorRun& run : runs) sum += run.seconds;
  for (OperatorRun& run : runs) run.seconds *= time / sum;
}

}  // namespace

PipedOperators run_step(attacc::Pipelining pipelining, std::span<const Choice> choices, double heads,
                        const Connections& connections, std::vector<OperatorRun>& runs) {
  runs.clear();
  const bool has_card = std::ranges::any_of(choices, [](const Choice& c) { return is_possible(c.gpu); });
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    OperatorRun& run = runs.emplace_back(OperatorRun{.op = choice.op, .pim_share = choice.pim_share});
    run.gpu = choice.parts ? choice.parts->card : scaled(choice.gpu, 1 - choice.pim_share);
    run.pim = choice.parts ? choice.parts->pim : scaled(choice.pim, choice.pim_share);
    if (choice.op->kind == Kind::all_reduce) run.link = all_reduce_cost(*choice.op, connections);
    if (choice.pim_share > 0 && has_card && connections.uses_link(*choice.op))
      add_transfers(choices, i, connections, run);
    run.seconds = side_by_side(run, connections) + run.link.seconds;
  }
  PipedOperators piped = piped_operators(choices, pipelining, connections.attention_stops_card);
  if (piped.end > piped.begin) {
    const std::span<OperatorRun> heads_of = std::span(runs).subspan(piped.begin, piped.end - piped.begin);
    const double heads_at_a_time = pipelining == attacc::Pipelining::none ? 1 : heads;
    piped.heads = head_pipeline(heads_of, heads_at_a_time);
    overlap(heads_of, piped.heads.time());
  }
  // The clock starts anew in the block, which is the same each time.
  double block = 0;
  double ends = 0;
  for (OperatorRun& run : runs) {
    double& clock = run.op->part == Part::ends ? ends : block;
    run.start = clock;
    clock += run.seconds;
    run.end = clock;
  }
  return piped;
}

}  // namespace pimsweep::systems::llm
