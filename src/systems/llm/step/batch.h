#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "systems/llm/step/gpu_costs.h"
#include "systems/llm/step/step_run.h"

namespace pimsweep::systems::llm::step {

/// Expected costs over routing of a layer's experts on either side, each as one of several on that side. A side takes
/// the sum of its experts' costs, plus a fixed cost if it has any. `pim` is empty if PIM lacks units for experts.
struct ExpertCosts {
  std::vector<Cost> gpu;
  std::vector<Cost> pim;
  Cost gpu_once = {};
  Cost pim_once = {};
};

/// Sequences that run together: their step, the costs of its operators on either side, where these run, and their
/// times. Keeps its memory.
struct Batch {
  workload::decoder::Step step;
  std::vector<Choice> choices;
  std::vector<OperatorRun> runs;
  PipedOperators piped;
  /// Filled when a policy first asks for them.
  ExpertCosts experts;
  bool has_experts = false;
};

/// A model on a machine: properties shared by all batches of a step.
struct StepContext {
  const Machine* machine = nullptr;
  const workload::decoder::Decoder* decoder = nullptr;
  workload::decoder::Bits bits;
  /// GPUs that share each operator, and stages of the pipeline of blocks.
  std::int64_t gpus = 1;
  std::int64_t stages = 1;
  Pipelining pipelining = Pipelining::projections;
  /// As in make_step.
  std::span<const double> routing = {};
  std::int64_t expert_parallel = 1;
  /// Steps of at most so many tokens are padded to the next size for which vLLM captures graphs; 0: none are.
  double max_captured = 0;
  /// Costs of GEMMs that runs of many steps remember; nullptr: each step computes its own.
  GemmCosts* gemms = nullptr;

  Connections connections() const;
  double blocks() const { return static_cast<double>(decoder->blocks); }
};

/// Properties of a step, besides its operators, that policies may use.
class StepFacts {
 public:
  StepFacts(const StepContext& context, Batch& batch);

  const workload::decoder::Step& step() const { return batch_.step; }
  /// Costs of the experts of a block.
  const ExpertCosts& experts() const;
  /// True if the step has a chunk of a prompt in addition to generating sequences.
  bool is_mixed() const { return is_mixed_; }
  /// Rows of activations for each weight, and those above which PAPI runs GEMMs on the GPU.
  double intensity() const { return batch_.step.tokens; }
  double intensity_threshold() const { return context_.machine->pim.intensity_threshold; }

 private:
  const StepContext& context_;
  Batch& batch_;
  bool is_mixed_ = false;
};

/// Throws PointError if experts cannot be spread over so many groups of the GPUs that share an operator.
void require_expert_groups(const StepContext& context);

/// Fills the step and the costs of both sides. `fullest`: as in PimUnits::attention.
void cost_batch(const StepContext& context, std::span<const workload::decoder::Sequences> sequences,
                std::optional<double> fullest, Batch& batch);

/// Costs of the experts of the batch's operator of experts, which it must have.
const ExpertCosts& experts_of(const StepContext& context, Batch& batch);
/// Experts on either side; `on_pim` has an entry for each expert.
ExpertParts parts_of(const ExpertCosts& costs, const workload::decoder::Step& step, const std::vector<bool>& on_pim);

/// Runs the step as chosen.
void run_batch(const StepContext& context, Pipelining pipelining, Batch& batch);

}  // namespace pimsweep::systems::llm::step
