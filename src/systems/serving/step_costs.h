#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "systems/llm/step/capacity.h"
#include "systems/llm/step/step_plan.h"
#include "systems/serving/engine/scheduler.h"

namespace pimsweep::systems::serving {

namespace step = llm::step;

/// Cost of a step on all GPUs, in seconds and joules beyond the idle power.
struct StepCost {
  double seconds = 0;
  double gpu_seconds = 0;
  double pim_seconds = 0;
  double energy = 0;
};

/// Costs of an engine's steps by the costs and policies of `llm/step`. A step without prompts costs as much as one with
/// as many decodes whose mean context is in the middle of the same block of tokens: such steps are planned once and
/// remembered. Steps with prompts are planned each, with the contexts of their decodes in a few groups.
class StepCosts {
 public:
  /// Forgets all costs. The context must outlive the use.
  void start(const step::StepContext& context, const step::Policy& policy, const step::Capacity& capacity,
             std::int64_t block_tokens);
  /// Forgets the costs of steps, which depend a little on the first step of each kind: runs that must not depend on
  /// what ran before begin with this.
  void forget() { decode_costs_.clear(); }
  /// Throws PointError with the reason if the policy cannot run the step.
  const StepCost& operator()(const engine::Step& step);
  /// Bytes of weights that PIM of each GPU needs in its own memory for one decode.
  double pim_weights();
  /// Bytes of KV caches beside each GPU, which limit what else PIM has room for.
  void set_cache(double bytes) { cache_bytes_ = bytes; }
  std::size_t plans() const { return plans_; }

 private:
  void group_decodes(double shift);
  const StepCost& plan(StepCost& cost);

  const step::StepContext* context_ = nullptr;
  const step::Policy* policy_ = nullptr;
  const step::Capacity* capacity_ = nullptr;
  std::int64_t block_tokens_ = 16;
  double cache_bytes_ = 0;
  step::StepPlanner planner_;
  std::unordered_map<std::uint64_t, StepCost> decode_costs_;
  StepCost mixed_;
  std::vector<std::int32_t> contexts_;
  std::vector<workload::decoder::Sequences> sequences_;
  std::size_t plans_ = 0;
};

}  // namespace pimsweep::systems::serving
