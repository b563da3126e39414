#pragma once

#include <span>

#include "systems/llm/step_run.h"

namespace pimsweep::systems::llm {

/// Seconds that all blocks of a step take for two batches, as NeuPIMs interleaves them (ASPLOS 2024, artifact,
/// src/StageProgram.cc:26-31): stages in which the card works on products of one batch, from its attention to its
/// next, beside attention of the other on PIM; each takes the longer of the two, or both if PIM stops the card. With
/// products Q before attention A, and F after it, N blocks take Q1, [Q2, A1], then N - 1 times [F1 Q1, A2] and
/// [F2 Q2, A1], then [F1, A2] and F2. The artifact runs one block; how blocks follow each other is our reading.
///
/// Runs get their places in a period of two stages, and shares of the time that add up to it. Blocks that are not alike
/// count as their mean.
double take_turns(std::span<OperatorRun> first, std::span<OperatorRun> second, double blocks,
                  const Connections& connections);

}  // namespace pimsweep::systems::llm
