#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/llm/newton_costs.h"
#include "systems/llm/settings.h"
#include "systems/llm/step_run.h"

namespace pimsweep::systems::llm {

/// Sequences that run together: their step, what its operators cost on either side, where they run, and what came of
/// it. Keeps its memory.
struct Batch {
  workload::decoder::Step step;
  ExpertCosts experts;
  std::vector<Choice> choices;
  std::vector<OperatorRun> runs;
  PipedOperators piped;
};

/// What all batches of a point have in common.
struct BatchPlace {
  const Settings* settings = nullptr;
  const workload::decoder::Decoder* decoder = nullptr;
  /// Cards that share each operator.
  std::int64_t cards = 1;
  /// As in make_step.
  std::span<const double> routing = {};
  NewtonCosts* newton = nullptr;

  Connections connections() const;
};

/// Fills the step and the costs of both sides. `assigned`: as in channel_attention.
void cost_batch(const BatchPlace& place, std::span<const workload::decoder::Sequences> sequences,
                std::span<const std::int32_t> assigned, Batch& batch);

/// Lets a policy choose sides, with all that it may know of the step: for points of the policy, and where the optimum
/// tries it.
void choose_by(const Policy& policy, const BatchPlace& place, Batch& batch);

/// Lets the point's policy choose sides. Returns what it runs where no side can, or an empty text.
std::string choose_sides(const BatchPlace& place, Batch& batch);

/// Runs the step as chosen.
void run_batch(const BatchPlace& place, attacc::Pipelining pipelining, Batch& batch);

}  // namespace pimsweep::systems::llm
