#include "systems/llm/turns.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

bool is_attention_on_pim(const OperatorRun& run) { return run.op->kind == Kind::attention && run.pim_share == 1; }

/// Seconds of an operator by itself, which is on one side.
double alone(const OperatorRun& run) { return run.gpu.seconds + run.pim.seconds + run.link.seconds; }

/// Seconds of a batch in a mean block: on the card before attention on PIM, in attention, and after it.
struct BlockParts {
  double before = 0;
  double attention = 0;
  double after = 0;

  double card() const { return before + after; }
};

BlockParts block_parts(std::span<const OperatorRun> runs, double blocks) {
  BlockParts parts;
  double* card = &parts.before;
  for (const OperatorRun& run : runs) {
    if (run.op->part == Part::ends) continue;
    const double seconds = run.op->times / blocks * alone(run);
    if (is_attention_on_pim(run)) {
      parts.attention = seconds;
      card = &parts.after;
    } else {
      *card += seconds;
    }
  }
  return parts;
}

/// Places of a batch's operators in a period of two stages: on the card from `start` on, first those that follow
/// attention, and attention on PIM from `attention_start` on.
void place_runs(std::span<OperatorRun> runs, double start, double attention_start) {
  const auto attention = std::ranges::find_if(runs, is_attention_on_pim);
  double clock = start;
  const auto place = [&](OperatorRun& run) {
    if (run.op->part == Part::ends) return;
    const bool on_pim = is_attention_on_pim(run);
    run.start = on_pim ? attention_start : clock;
    run.end = run.start + alone(run);
    if (!on_pim) clock = run.end;
  };
  for (auto run = attention; run != runs.end(); ++run) place(*run);
  for (auto run = runs.begin(); run != attention; ++run) place(*run);
}

}  // namespace

double take_turns(std::span<OperatorRun> first, std::span<OperatorRun> second, double blocks,
                  const Connections& connections) {
  const BlockParts one = block_parts(first, blocks);
  const BlockParts two = block_parts(second, blocks);
  const bool in_turn = connections.attention_stops_card;
  const auto stage = [&](double card, double pim) { return in_turn ? card + pim : std::max(card, pim); };
  const double begin = one.before + stage(two.before, one.attention);
  const double first_stage = stage(one.card(), two.attention);
  const double period = first_stage + stage(two.card(), one.attention);
  const double end = stage(one.after, two.attention) + two.after;
  const double seconds = begin + (blocks - 1) * period + end;
  place_runs(first, 0, first_stage + (in_turn ? two.card() : 0));
  place_runs(second, first_stage, in_turn ? one.card() : 0);
  const double sum = blocks * (one.card() + one.attention + two.card() + two.attention);
  for (const std::span<OperatorRun> runs : {first, second}) {
    for (OperatorRun& run : runs) {
      if (run.op->part != Part::ends) run.seconds = alone(run) * seconds / sum;
    }
  }
  return seconds;
}

}  // namespace pimsweep::systems::llm
