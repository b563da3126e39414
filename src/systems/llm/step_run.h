#pragma once

#include <span>
#include <vector>

#include "hardware/links/link.h"
#include "systems/llm/attacc/machine.h"
#include "systems/llm/head_pipeline.h"
#include "systems/llm/policies.h"

namespace pimsweep::systems::llm {

/// An operator in a step that has run: what it took each time, on one of the cards that share the model, and on its
/// PIM.
struct OperatorRun {
  const workload::decoder::Operator* op = nullptr;
  double pim_share = 0;
  Cost gpu = {};
  Cost pim = {};
  /// Data between card and PIM, and between cards.
  Cost link = {};
  /// Seconds of the link after the operator: what PIM sends back.
  double returned = 0;
  /// Its part of the time of the step: these add up, whatever runs side by side.
  double seconds = 0;
  /// Since the begin of its block, or of the step for an operator outside of blocks.
  double start = 0;
  double end = 0;
};

/// The connections of a machine, as far as it has them.
struct Connections {
  /// Between cards; between a card and its PIM.
  hardware::links::Link cards;
  hardware::links::Link pim;
  /// Cards, or PIM devices without a card, that share each operator.
  double devices = 1;
  /// Whether the card waits while PIM does attention, or products, in the memory of the card.
  bool attention_stops_card = false;
  bool products_stop_card = false;
  /// Units for products are in the memory of the card, so that nothing goes over the link to them.
  bool products_in_card_memory = false;

  bool uses_link(const workload::decoder::Operator& op) const {
    return op.kind == workload::decoder::Kind::attention || !products_in_card_memory;
  }
};

/// Operators `begin` to `end` of a step, of which card, link and PIM work on different heads at a time; none where they
/// are equal.
struct PipedOperators {
  std::size_t begin = 0;
  std::size_t end = 0;
  HeadPipeline heads;
};

/// Runs the operators of a step one after the other, but for attention on PIM: heads in a pipeline with transfers, and
/// with the products around them, as `pipelining` says; attention of prompts on the card beside it, where PIM
/// does not stop the card (attention co-processing of Duplex, MICRO 2024). Sides that an operator leaves idle wait.
/// `runs` keeps its memory.
PipedOperators run_step(attacc::Pipelining pipelining, std::span<const Choice> choices, double heads,
                        const Connections& connections, std::vector<OperatorRun>& runs);

}  // namespace pimsweep::systems::llm
