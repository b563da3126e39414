#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "systems/llm/step/step_run.h"

namespace pimsweep::systems::llm {

/// Time in which one part of the machine works for an operator, since the start of its block or of the non-block
/// layers.
struct Interval {
  /// "GPU", "PIM", "to PIM", "from PIM" or "link" (between GPUs).
  std::string_view lane;
  const workload::decoder::Operator* op = nullptr;
  double start = 0;
  double end = 0;
};

/// Intervals of a step that has run, heads in a pipeline one by one. Intervals of a lane do not overlap, and the
/// last one ends when the step does.
std::vector<Interval> timeline_of(std::span<const step::OperatorRun> runs, const step::PipedOperators& piped);

}  // namespace pimsweep::systems::llm
