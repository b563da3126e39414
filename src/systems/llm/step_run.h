#pragma once

#include <span>
#include <vector>

#include "hardware/links/link.h"
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
};

/// Runs the operators of a step one after the other; heads in a pipeline where the policy says so. Sides that an
/// operator leaves idle wait. `runs` keeps its memory.
///
/// With heads in a pipeline, the products of attention on the card (G seconds), transfers (X) and attention on PIM (A)
/// of H heads take (G + X + A) / H + (H - 1) / H max(G, X, A): each of the three works on another head.
void run_step(const Policy& policy, std::span<const Choice> choices, double heads, const Connections& connections,
              std::vector<OperatorRun>& runs);

}  // namespace pimsweep::systems::llm
