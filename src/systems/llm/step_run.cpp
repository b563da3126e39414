#include "systems/llm/step_run.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

Cost scaled(const Cost& cost, double share) {
  if (share == 0) return {};
  return {cost.seconds * share, cost.bytes * share, cost.energy * share};
}

Cost sent(const hardware::links::Link& link, double bytes) {
  if (bytes == 0) return {};
  return {hardware::links::transfer_time(link, bytes), bytes, bytes * link.energy};
}

/// Whether the data before or after operator `i` are those of the card: an operator of which PIM does only a part takes
/// them from there and leaves them there.
bool is_on_card(std::span<const Choice> choices, std::size_t i) {
  return i >= choices.size() || choices[i].pim_share < 1;
}

Cost link_cost(std::span<const Choice> choices, std::size_t i, const Connections& connections, bool has_card) {
  const Choice& choice = choices[i];
  if (choice.op->kind == Kind::all_reduce) {
    const double bytes = hardware::links::all_reduce_bytes(choice.op->input_bytes, connections.devices);
    return {hardware::links::all_reduce_time(connections.cards, choice.op->input_bytes, connections.devices), bytes,
            bytes * connections.cards.energy};
  }
  Cost cost;
  if (choice.pim_share == 0 || !has_card) return cost;
  const bool whole = choice.pim_share == 1;
  // Inputs of a product that both sides do are needed whole on either side.
  if (!whole || i == 0 || is_on_card(choices, i - 1)) cost += sent(connections.pim, choice.op->input_bytes);
  if (!whole || is_on_card(choices, i + 1)) {
    cost += sent(connections.pim, choice.pim_share * choice.op->output_bytes);
  }
  return cost;
}

/// The operators that heads in a pipeline run through: from the first product of the attention to the last.
struct Pipeline {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Pipeline head_pipeline(std::span<const Choice> choices, attacc::Pipelining pipelining) {
  const auto is_on_pim = [](const Choice& choice) {
    return choice.op->kind == Kind::attention && choice.pim_share == 1;
  };
  const auto attention = static_cast<std::size_t>(std::ranges::find_if(choices, is_on_pim) - choices.begin());
  if (attention == choices.size() || pipelining == attacc::Pipelining::none) return {};
  if (pipelining == attacc::Pipelining::transfers) return {attention, attention + 1};
  Pipeline pipeline{choices.size(), 0};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].op->part != Part::attention || choices[i].op->kind != Kind::linear) continue;
    pipeline.begin = std::min(pipeline.begin, i);
    pipeline.end = i + 1;
  }
  return pipeline;
}

/// Factor by which the pipeline shortens the time of its operators.
double overlap(std::span<const OperatorRun> runs, double heads) {
  double gpu = 0;
  double pim = 0;
  double link = 0;
  for (const OperatorRun& run : runs) {
    gpu += run.gpu.seconds;
    pim += run.pim.seconds;
    link += run.link.seconds;
  }
  const double sum = gpu + pim + link;
  return (sum + (heads - 1) * std::max({gpu, pim, link})) / (heads * sum);
}

}  // namespace

void run_step(attacc::Pipelining pipelining, std::span<const Choice> choices, double heads,
              const Connections& connections, std::vector<OperatorRun>& runs) {
  runs.clear();
  const bool has_card = std::ranges::any_of(choices, [](const Choice& c) { return is_possible(c.gpu); });
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    OperatorRun& run = runs.emplace_back(OperatorRun{.op = choice.op, .pim_share = choice.pim_share});
    run.gpu = scaled(choice.gpu, 1 - choice.pim_share);
    run.pim = scaled(choice.pim, choice.pim_share);
    run.link = link_cost(choices, i, connections, has_card);
    run.seconds = std::max(run.gpu.seconds, run.pim.seconds) + run.link.seconds;
  }
  const Pipeline pipeline = head_pipeline(choices, pipelining);
  if (pipeline.end > pipeline.begin) {
    const std::span<OperatorRun> piped = std::span(runs).subspan(pipeline.begin, pipeline.end - pipeline.begin);
    const double factor = overlap(piped, heads);
    for (OperatorRun& run : piped) run.seconds *= factor;
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
}

}  // namespace pimsweep::systems::llm
